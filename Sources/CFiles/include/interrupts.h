// Signals that end this program, while it runs another one and has something to clean up.
#ifndef SETTINGS_CFILES_INTERRUPTS_H
#define SETTINGS_CFILES_INTERRUPTS_H

#include <stddef.h>
#include <sys/types.h>

// From now on, Ctrl-C and the like are noted instead of ending the process at once; signals that are ignored stay ignored.
void settings_note_interrupts(void);

// They end the process again.
void settings_forget_interrupts(void);

// The first signal that was noted; 0 if there was none.
int settings_interrupt(void);

// Can be read from once an interrupt was noted or a process that was started has ended; -1 where there are no descriptors
// left. Noted interrupts that came before count as well, if they are looked for afterwards.
int settings_interrupt_descriptor(void);

// Reads it empty.
void settings_take_interrupts(void);

// Writes everything. Where `settings_interrupt_descriptor` is waited for, an interrupt ends it, with EINTR.
int settings_write_until_interrupt(int file, const void *data, size_t count);

// From now on Ctrl-C closes `input` and ends this program only once `child`, which reads from it, has ended.
void settings_end_after(pid_t child, int input);

// It ends this program at once again.
void settings_end_at_once(void);

// Passes an interrupt on to a process, or to a process group if the number is negative; to nobody if it is 0.
void settings_pass_interrupts(pid_t target);

#endif
