// Starts a program that does not outlive this one.
#ifndef SETTINGS_CFILES_SPAWNING_H
#define SETTINGS_CFILES_SPAWNING_H

#include <sys/types.h>

// Starts a program that reads nothing and prints to these descriptors; -1 where it can't be started. With `has_session` it has a
// session of its own. No file that it writes may have more than `file_size` bytes, or fewer where the system says so. On Linux
// it is asked to end where this thread ends, even by force.
pid_t settings_spawn_bound(
    const char *program, char *const words[], char *const variables[], int output, int errors, int has_session,
    unsigned long long file_size);

#endif
