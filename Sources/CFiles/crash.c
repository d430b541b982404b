#define _GNU_SOURCE
#include "crash.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#include <mach-o/getsect.h>
#else
// The linker's names for where the program's code begins and ends.
extern const char __executable_start[], etext[];
#endif

static const struct {
  int number;
  const char *name;
} crashes[] = {
    {SIGSEGV, "segmentation fault"}, {SIGBUS, "bus error"}, {SIGILL, "illegal instruction"},
    {SIGTRAP, "trap"}, {SIGFPE, "arithmetic error"}, {SIGABRT, "aborted"},
};

static char build_text[256], advice_text[256];
static uintptr_t code_begin, code_end;

static uintptr_t instruction(const ucontext_t *context) {
#if defined(__APPLE__) && defined(__aarch64__)
  return (uintptr_t)context->uc_mcontext->__ss.__pc;
#elif defined(__APPLE__)
  return (uintptr_t)context->uc_mcontext->__ss.__rip;
#elif defined(__aarch64__)
  return (uintptr_t)context->uc_mcontext.pc;
#elif defined(__x86_64__)
  return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#else
  (void)context;
  return 0;
#endif
}

typedef struct {
  size_t length;
  char text[1024];
} settings_line;

static void add(settings_line *line, const char *text) {
  while (*text != 0 && line->length < sizeof line->text - 1) line->text[line->length++] = *text++;
}

static void add_number(settings_line *line, uintptr_t number) {
  char digits[2 + 2 * sizeof number + 1];
  char *place = digits + sizeof digits - 1;
  *place = 0;
  do *--place = "0123456789abcdef"[number & 15];
  while ((number >>= 4) != 0);
  add(line, "0x");
  add(line, place);
}

// Calls nothing but what a signal handler may.
static void report(int number, siginfo_t *information, void *context) {
  (void)information;
  settings_line line = {0};
  add(&line, "settings: crashed: ");
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
    if (crashes[i].number == number) add(&line, crashes[i].name);
  }
  uintptr_t place = instruction((const ucontext_t *)context);
  int is_ours = place >= code_begin && place < code_end;
  add(&line, is_ours ? " at settings+" : " in a library, at ");
  add_number(&line, is_ours ? place - code_begin : place);
  add(&line, " (");
  add(&line, build_text);
  add(&line, "); ");
  add(&line, advice_text);
  line.text[line.length++] = '\n';
  if (write(STDERR_FILENO, line.text, line.length) < 0) line.length = 0;
  // It is blocked until this returns.
  signal(number, SIG_DFL);
  raise(number);
}

void settings_report_crashes(const char *build, const char *advice) {
  strncpy(build_text, build, sizeof build_text - 1);
  strncpy(advice_text, advice, sizeof advice_text - 1);
#ifdef __APPLE__
  unsigned long size = 0;
  code_begin = (uintptr_t)getsegmentdata((const struct mach_header_64 *)_dyld_get_image_header(0), "__TEXT", &size);
  code_end = code_begin + size;
#else
  code_begin = (uintptr_t)__executable_start;
  code_end = (uintptr_t)etext;
#endif
  // The stack may be what is full.
  static char stack[1 << 16];
  stack_t other = {.ss_sp = stack, .ss_size = sizeof stack, .ss_flags = 0};
  sigaltstack(&other, NULL);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = report;
  action.sa_flags = SA_ONSTACK | SA_SIGINFO;
  sigfillset(&action.sa_mask);
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) sigaction(crashes[i].number, &action, NULL);
}
