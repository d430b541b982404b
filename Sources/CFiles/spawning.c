#define _GNU_SOURCE
#include "spawning.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

static int limit_files(rlim_t bytes) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0) return -1;
  limit.rlim_cur = limit.rlim_max != RLIM_INFINITY && bytes > limit.rlim_max ? limit.rlim_max : bytes;
  return setrlimit(RLIMIT_FSIZE, &limit);
}

// posix_spawn can ask neither for the signal nor for the limit, which this process must not have meanwhile: other threads
// write. What comes before the program begins may be done in a copy of a process with several threads: nothing is allocated.
pid_t settings_spawn_bound(
    const char *program, char *const words[], char *const variables[], int output, int errors, int has_session,
    unsigned long long file_size) {
  pid_t parent = getpid();
  pid_t child = fork();
  if (child != 0) return child;
  if (has_session) setsid();
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
  // It may have ended before.
  if (getppid() != parent) _exit(127);
  if (limit_files(file_size) != 0) _exit(127);
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
