#define _GNU_SOURCE
#include "spawning.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

// posix_spawn can't ask for the signal.
pid_t settings_spawn_bound(
    const char *program, char *const words[], char *const variables[], int output, int errors, int has_session) {
  pid_t parent = getpid();
  pid_t child = fork();
  if (child != 0) return child;
  if (has_session) setsid();
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
  // It may have ended before.
  if (getppid() != parent) _exit(127);
  // Out of the way of each other.
  output = fcntl(output, F_DUPFD_CLOEXEC, 3);
  errors = fcntl(errors, F_DUPFD_CLOEXEC, 3);
  int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (input < 0 || output < 0 || errors < 0) _exit(127);
  if (input == STDIN_FILENO) fcntl(input, F_SETFD, 0);
  if (input != STDIN_FILENO && dup2(input, STDIN_FILENO) < 0) _exit(127);
  if (dup2(output, STDOUT_FILENO) < 0 || dup2(errors, STDERR_FILENO) < 0) _exit(127);
  execve(program, words, variables);
  _exit(127);
}
