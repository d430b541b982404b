// Starts another program.
#ifndef SETTINGS_CFILES_SPAWNING_H
#define SETTINGS_CFILES_SPAWNING_H

#include <sys/types.h>

typedef struct {
  const char *program;
  char *const *words;
  char *const *variables;
  // Where it works; NULL for where this process does.
  const char *folder;
  // What it has as its descriptors 0 to 3; -1 for what this process has there.
  int descriptors[4];
  // Whether it has a session or a process group of its own.
  int has_session, has_group;
  // Whether signals reach it that this thread blocks.
  int unblocks_signals;
  // Whether failed writes end it, by signals that this process ignores.
  int ends_on_failed_writes;
  // Whether, on Linux, it is asked to end where this thread ends, even by force.
  int is_bound;
  // The bytes that a file may have which it writes, or fewer where the system says so; -1 for no limit.
  long long file_size;
} settings_start;

// Returns 0, or why the program can't be started.
int settings_spawn(const settings_start *start, pid_t *process);

#endif
