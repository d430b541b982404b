#define _GNU_SOURCE
#include "spawning.h"

#include "disk.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// posix_spawn can ask neither for a limit nor for a signal, and this process must not have the limit meanwhile: other threads
// write. Linux copies none of this process's memory for a program that is about to begin.
#ifdef __linux__
#include <sys/prctl.h>
#define begin_process vfork
static void end_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGTERM); }
#else
#define begin_process fork
static void end_with_parent(void) {}
#endif

// What runs from here to execve may share the memory of a process with several threads: it allocates nothing, takes no lock
// and writes to nothing but its own stack.

// No handler of this process may run in the other one.
static void reset_signals(const settings_start *start) {
  for (int number = 1; number < NSIG; number++) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_DFL) continue;
    int is_of_writes = number == SIGPIPE || number == SIGXFSZ;
    if (action.sa_handler == SIG_IGN && !(is_of_writes && start->ends_on_failed_writes)) continue;
    action.sa_handler = SIG_DFL;
    action.sa_flags = 0;
    sigaction(number, &action, NULL);
  }
}

static int limit_files(long long bytes) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0) return -1;
  rlim_t wanted = (rlim_t)bytes;
  limit.rlim_cur = limit.rlim_max != RLIM_INFINITY && wanted > limit.rlim_max ? limit.rlim_max : wanted;
  return setrlimit(RLIMIT_FSIZE, &limit);
}

static int place_descriptors(const int *descriptors, int count) {
  int copies[4];
  // Out of the way of each other.
  for (int index = 0; index < count; index++) {
    copies[index] = descriptors[index] < 0 ? -1 : fcntl(descriptors[index], F_DUPFD_CLOEXEC, count);
    if (descriptors[index] >= 0 && copies[index] < 0) return -1;
  }
  for (int index = 0; index < count; index++) {
    if (copies[index] >= 0 && dup2(copies[index], index) < 0) return -1;
  }
  return 0;
}

static int prepare(const settings_start *start, const sigset_t *signals, pid_t parent) {
  reset_signals(start);
  if (start->has_session && setsid() < 0) return -1;
  if (start->has_group && setpgid(0, 0) != 0) return -1;
  if (start->is_bound) {
    end_with_parent();
    // It may have ended before.
    if (getppid() != parent) _exit(127);
  }
  if (start->file_size >= 0 && limit_files(start->file_size) != 0) return -1;
  if (place_descriptors(start->descriptors, 4) != 0) return -1;
  if (start->folder != NULL && chdir(start->folder) != 0) return -1;
  sigset_t none;
  sigemptyset(&none);
  return sigprocmask(SIG_SETMASK, start->unblocks_signals ? &none : signals, NULL);
}

static _Noreturn void become(const settings_start *start, const sigset_t *signals, pid_t parent, int report) {
  if (prepare(start, signals, parent) == 0) execve(start->program, start->words, start->variables);
  int code = errno;
  if (write(report, &code, sizeof code) < 0) _exit(126);
  _exit(127);
}

int settings_spawn(const settings_start *start, pid_t *process) {
  int ends[2];
  if (settings_pipe(ends) != 0) return errno;
  // The program's own descriptors take the first places.
  int report = fcntl(ends[1], F_DUPFD_CLOEXEC, 4);
  int code = report < 0 ? errno : 0;
  close(ends[1]);
  if (code == 0) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pid_t parent = getpid();
    *process = begin_process();
    if (*process == 0) become(start, &before, parent, report);
    if (*process < 0) code = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(report);
  }
  if (code == 0) {
    ssize_t count;
    // It is closed where the program begins, and where a signal ends what was to become it.
    do count = read(ends[0], &code, sizeof code);
    while (count < 0 && errno == EINTR);
    if (count != sizeof code) code = 0;
    while (code != 0 && waitpid(*process, NULL, 0) < 0 && errno == EINTR) continue;
  }
  close(ends[0]);
  return code;
}
