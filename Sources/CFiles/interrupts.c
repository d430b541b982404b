#include "interrupts.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t noted = 0;
static volatile pid_t receiver = 0;
static volatile int waker = -1;

static void wake(int number) {
  (void)number;
  int reason = errno;
  // A full pipe wakes as well.
  if (waker >= 0 && write(waker, "", 1) < 0) errno = 0;
  errno = reason;
}

static void note(int number) {
  int reason = errno;
  int is_first = noted == 0;
  if (is_first) noted = number;
  // Not SIGINT, which shells ignore in what they start in the background. Who asks a second time doesn't want to wait.
  if (receiver != 0) kill(receiver, is_first ? SIGTERM : SIGKILL);
  errno = reason;
  wake(number);
}

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

void settings_note_interrupts(void) {
  // Ignored by whoever started this program, it would keep the exit status of a child from being read.
  signal(SIGCHLD, SIG_DFL);
  for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) {
    struct sigaction action;
    if (sigaction(numbers[index], NULL, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action.sa_handler = note;
    // Whoever waits for a process is woken.
    action.sa_flags = 0;
    sigfillset(&action.sa_mask);
    sigaction(numbers[index], &action, NULL);
  }
}

// Those of some signals that `handler` gets end the process again.
static void restore(const int *signals, size_t count, void (*handler)(int)) {
  for (size_t index = 0; index < count; index++) {
    struct sigaction action;
    if (sigaction(signals[index], NULL, &action) == 0 && action.sa_handler == handler) signal(signals[index], SIG_DFL);
  }
}

void settings_forget_interrupts(void) { restore(numbers, sizeof numbers / sizeof *numbers, note); }

int settings_interrupt(void) { return noted; }

void settings_pass_interrupts(pid_t target) {
  receiver = target;
  // It may have come before.
  if (target != 0 && noted != 0) kill(target, SIGTERM);
}

int settings_interrupt_descriptor(void) {
  static int output = -1;
  if (output >= 0) return output;
  int ends[2];
  if (pipe(ends) != 0) return -1;
  for (int index = 0; index < 2; index++) {
    fcntl(ends[index], F_SETFD, FD_CLOEXEC);
    fcntl(ends[index], F_SETFL, O_NONBLOCK);
  }
  output = ends[0];
  waker = ends[1];
  struct sigaction action;
  action.sa_handler = wake;
  action.sa_flags = SA_RESTART | SA_NOCLDSTOP;
  sigemptyset(&action.sa_mask);
  sigaction(SIGCHLD, &action, NULL);
  return output;
}

void settings_take_interrupts(void) {
  char bytes[64];
  int descriptor = settings_interrupt_descriptor();
  while (descriptor >= 0 && read(descriptor, bytes, sizeof bytes) > 0) continue;
}

int settings_write_until_interrupt(int file, const void *data, size_t count) {
  const char *rest = data;
  while (count > 0) {
    // Whoever reads it may take as long as they like.
    if (waker >= 0 && noted != 0) {
      errno = EINTR;
      return -1;
    }
    ssize_t written = write(file, rest, count);
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = ENOSPC;
    if (written <= 0) return -1;
    rest += written;
    count -= (size_t)written;
  }
  return 0;
}

static volatile pid_t last = 0;
static volatile int feeding = -1;

static void end_after(int number) {
  if (feeding >= 0) close(feeding);
  feeding = -1;
  while (last > 0 && waitpid(last, NULL, 0) < 0 && errno == EINTR) continue;
  // It is blocked until this returns.
  signal(number, SIG_DFL);
  raise(number);
}

// Those that a terminal sends to all that run in it; the others are for this program alone.
static const int keys[] = {SIGINT, SIGQUIT};

void settings_end_after(pid_t child, int input) {
  last = child;
  feeding = input;
  for (size_t index = 0; index < sizeof keys / sizeof *keys; index++) {
    struct sigaction action;
    // Whoever ignores or notes it has reasons.
    if (sigaction(keys[index], NULL, &action) != 0 || action.sa_handler != SIG_DFL) continue;
    action.sa_handler = end_after;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(keys[index], &action, NULL);
  }
}

void settings_end_at_once(void) {
  restore(keys, sizeof keys / sizeof *keys, end_after);
  last = 0;
  feeding = -1;
}
