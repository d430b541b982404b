#include "interrupts.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t noted = 0;
static volatile pid_t receiver = 0;

static void note(int number) {
  int reason = errno;
  int is_first = noted == 0;
  if (is_first) noted = number;
  // Not SIGINT, which shells ignore in what they start in the background. Who asks a second time doesn't want to wait.
  if (receiver != 0) kill(receiver, is_first ? SIGTERM : SIGKILL);
  errno = reason;
}

void settings_note_interrupts(void) {
  // Ignored by whoever started this program, it would keep the exit status of a child from being read.
  signal(SIGCHLD, SIG_DFL);
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
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

int settings_interrupt(void) { return noted; }

void settings_pass_interrupts(pid_t target) {
  receiver = target;
  // It may have come before.
  if (target != 0 && noted != 0) kill(target, SIGTERM);
}
