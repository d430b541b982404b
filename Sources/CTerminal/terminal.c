#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE 1
#define NCURSES_WIDECHAR 1
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

static SCREEN *screen = NULL;
static int is_entered = 0;
static struct termios before;
static int signals[2] = {-1, -1};

// What is written to the terminal, and what gives it back. The second one is made when it is opened, because a crash can't
// make anything.
static char output[1 << 16];
static size_t output_length = 0;
static char restoring[512];
static size_t restoring_length = 0;

static void write_all(const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t count = write(STDOUT_FILENO, bytes, length);
    if (count > 0) {
      bytes += count;
      length -= (size_t)count;
    } else if (count < 0 && errno == EAGAIN) {
      struct pollfd ready = {STDOUT_FILENO, POLLOUT, 0};
      if (poll(&ready, 1, 1000) <= 0) return;
    } else if (count == 0 || errno != EINTR) {
      return;
    }
  }
}

void settings_terminal_flush(void) {
  write_all(output, output_length);
  output_length = 0;
}

void settings_terminal_text(const char *text, size_t length) {
  if (length > sizeof output - output_length) settings_terminal_flush();
  if (length > sizeof output) {
    write_all(text, length);
  } else {
    memcpy(output + output_length, text, length);
    output_length += length;
  }
}

static int put_output(int character) {
  char byte = (char)character;
  settings_terminal_text(&byte, 1);
  return character;
}

static int put_restoring(int character) {
  if (restoring_length < sizeof restoring) restoring[restoring_length++] = (char)character;
  return character;
}

static void put(const char *capability) {
  if (capability != NULL) tputs(capability, 1, put_output);
}

static void keep(const char *capability) {
  if (capability != NULL) tputs(capability, 1, put_restoring);
}

static void keep_text(const char *text) {
  while (*text != 0) put_restoring(*text++);
}

// The guard: it may run anywhere, so it calls nothing but what signal handlers may.
static void restore(void) {
  if (!is_entered) return;
  is_entered = 0;
  write_all(restoring, restoring_length);
  tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

// What reports a crash, once the terminal can show the report.
static struct sigaction reporters[NSIG];

static void end_by(int number, siginfo_t *information, void *context) {
  restore();
  if (reporters[number].sa_flags & SA_SIGINFO) return reporters[number].sa_sigaction(number, information, context);
  signal(number, SIG_DFL);
  raise(number);
}

static void note(int number) {
  int reason = errno;
  char byte = (char)number;
  if (write(signals[1], &byte, 1) < 0) byte = 0;
  errno = reason;
}

static void end_on(int number) {
  struct sigaction action;
  if (sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN) return;
  // Swift's runtime may have put something there for signals that a person sends as well.
  if (number != SIGHUP && number != SIGINT && number != SIGQUIT && number != SIGTERM) reporters[number] = action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = end_by;
  sigfillset(&action.sa_mask);
  // A crash on a full stack is reported on another one.
  action.sa_flags = SA_ONSTACK | SA_SIGINFO;
  sigaction(number, &action, NULL);
}

static void handle(int number, void (*handler)(int)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigfillset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

static void guard(void) {
  static char stack[1 << 16];
  stack_t other = {.ss_sp = stack, .ss_size = sizeof stack, .ss_flags = 0};
  sigaltstack(&other, NULL);
  static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT};
  for (size_t index = 0; index < sizeof ending / sizeof *ending; index++) end_on(ending[index]);
  handle(SIGWINCH, note);
  handle(SIGTSTP, note);
}

static void define_keys(void) {
  static const char *const families[] = {"\033[", "\033O"};
  static const struct { char final; int key; } keys[] = {
      {'A', KEY_UP}, {'B', KEY_DOWN}, {'C', KEY_RIGHT}, {'D', KEY_LEFT}, {'H', KEY_HOME}, {'F', KEY_END},
  };
  char sequence[8];
  for (size_t family = 0; family < 2; family++) {
    for (size_t index = 0; index < sizeof keys / sizeof *keys; index++) {
      strcpy(sequence, families[family]);
      sequence[2] = keys[index].final;
      sequence[3] = 0;
      define_key(sequence, keys[index].key);
    }
  }
  define_key("\033[1;2A", KEY_SR);
  define_key("\033[1;2B", KEY_SF);
  define_key("\033[1;2C", KEY_SRIGHT);
  define_key("\033[1;2D", KEY_SLEFT);
  define_key("\033[1~", KEY_HOME);
  define_key("\033[4~", KEY_END);
  define_key("\033[3~", KEY_DC);
  define_key("\033[5~", KEY_PPAGE);
  define_key("\033[6~", KEY_NPAGE);
  define_key("\033[200~", KEY_MAX + 1);
  define_key("\033[201~", KEY_MAX + 2);
}

int settings_terminal_open(void) {
  // Of the locale nothing but its characters: all of it takes another 70 system calls, and would change how numbers are read.
  setlocale(LC_CTYPE, "");
  tcgetattr(STDIN_FILENO, &before);
  if (pipe(signals) != 0) return SETTINGS_TERMINAL_UNKNOWN;
  for (int end = 0; end < 2; end++) {
    fcntl(signals[end], F_SETFL, O_NONBLOCK);
    fcntl(signals[end], F_SETFD, FD_CLOEXEC);
  }
  // ncurses reads keys and knows the terminal. What is drawn is placed here, because widths are ours: its screen stays empty.
  screen = newterm(NULL, stdout, stdin);
  if (screen == NULL) return SETTINGS_TERMINAL_UNKNOWN;
  char *place = tigetstr("cup");
  if (place == NULL || place == (char *)-1) {
    endwin();
    return SETTINGS_TERMINAL_DUMB;
  }
  // What a connection delays by less is still one key.
  set_escdelay(25);
  raw();
  noecho();
  nonl();
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  refresh();
  def_prog_mode();
  define_keys();
  mouseinterval(0);
  keep_text("\033[?2004l\033[?1000l\033[?1006l");
  keep(exit_attribute_mode);
  keep(keypad_local);
  keep(cursor_normal);
  // Where a terminal keeps no other screen (the Linux console, screen), the prompt comes below the page: terminals take a row
  // that is too large for the last one.
  if (cursor_address != NULL) keep(tparm(cursor_address, 998, 0, 0, 0, 0, 0, 0, 0, 0));
  keep(clr_eol);
  keep(exit_ca_mode);
  guard();
  settings_terminal_enter();
  return SETTINGS_TERMINAL_OK;
}

void settings_terminal_enter(void) {
  reset_prog_mode();
  is_entered = 1;
  put(enter_ca_mode);
  put(keypad_xmit);
  mousemask(0, NULL);
  // get_wch waits for the next key after an event that the mask leaves out, though it is asked not to: nothing was drawn then
  // between the press of a button and the next key.
  mousemask(
      BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON1_RELEASED | BUTTON2_PRESSED | BUTTON2_RELEASED | BUTTON3_PRESSED |
          BUTTON3_RELEASED | BUTTON4_PRESSED | BUTTON4_RELEASED | BUTTON5_PRESSED | BUTTON5_RELEASED,
      NULL);
  static const char paste[] = "\033[?2004h";
  settings_terminal_text(paste, sizeof paste - 1);
  settings_terminal_cursor(0);
  settings_terminal_clear();
  settings_terminal_flush();
}

void settings_terminal_leave(void) {
  settings_terminal_flush();
  restore();
}

void settings_terminal_close(void) {
  // The guard gives everything back. endwin would go on to move the cursor of the screen that was there before.
  settings_terminal_leave();
}

void settings_terminal_stop(void) {
  settings_terminal_leave();
  signal(SIGTSTP, SIG_DFL);
  kill(0, SIGTSTP);
  // Here it goes on.
  handle(SIGTSTP, note);
  tcgetattr(STDIN_FILENO, &before);
  settings_terminal_enter();
}

static void pass(int number) { (void)number; }

void settings_terminal_lend(int is_lent) {
  // A handler, because what is ignored stays so in the other program.
  static const int typed[] = {SIGINT, SIGQUIT};
  for (size_t index = 0; index < sizeof typed / sizeof *typed; index++) {
    if (is_lent) handle(typed[index], pass);
    else end_on(typed[index]);
  }
  // Both are stopped together, as the shell expects.
  if (is_lent) {
    settings_terminal_leave();
    signal(SIGTSTP, SIG_DFL);
  } else {
    handle(SIGTSTP, note);
    settings_terminal_enter();
  }
}

void settings_terminal_hide(int is_hidden) {
  static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
  if (is_hidden) {
    struct termios hidden;
    if (is_entered || tcgetattr(STDIN_FILENO, &before) != 0) return;
    hidden = before;
    hidden.c_lflag &= ~(tcflag_t)ECHO;
    restoring_length = 0;
    is_entered = 1;
    for (size_t index = 0; index < sizeof ending / sizeof *ending; index++) end_on(ending[index]);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &hidden);
  } else if (is_entered) {
    restore();
    for (size_t index = 0; index < sizeof ending / sizeof *ending; index++) signal(ending[index], SIG_DFL);
  }
}

int settings_terminal_is_utf8(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

int settings_terminal_colors(void) { return tigetnum("colors"); }

void settings_terminal_size(int *height, int *width) {
  struct winsize size;
  *height = 24;
  *width = 80;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0) {
    *height = size.ws_row;
    *width = size.ws_col;
  }
}

int settings_terminal_wait(int milliseconds, const int *others, size_t count) {
  struct pollfd ready[8] = {{STDIN_FILENO, POLLIN, 0}, {signals[0], POLLIN, 0}};
  if (count > 6) count = 6;
  for (size_t index = 0; index < count; index++) ready[2 + index] = (struct pollfd){others[index], POLLIN, 0};
  if (poll(ready, 2 + count, milliseconds) <= 0) return 0;
  int found = 0;
  for (size_t index = 0; index < count; index++) {
    if (ready[2 + index].revents != 0) found |= SETTINGS_READY_OTHER;
  }
  if (ready[0].revents & POLLIN) {
    found |= SETTINGS_READY_KEYS;
  } else if (ready[0].revents & (POLLHUP | POLLERR | POLLNVAL)) {
    found |= SETTINGS_READY_END;
  }
  char noted[64];
  ssize_t length = ready[1].revents & POLLIN ? read(signals[0], noted, sizeof noted) : 0;
  for (ssize_t index = 0; index < length; index++) {
    found |= noted[index] == SIGWINCH ? SETTINGS_READY_SIZE : SETTINGS_READY_SUSPEND;
  }
  return found;
}

void settings_terminal_move(int row, int column) { put(tiparm(cursor_address, row, column)); }

void settings_terminal_look(int look, int color) {
  put(exit_attribute_mode);
  if (look & SETTINGS_LOOK_BOLD) put(enter_bold_mode);
  if (look & SETTINGS_LOOK_DIM) put(enter_dim_mode);
  if (look & SETTINGS_LOOK_UNDERLINE) put(enter_underline_mode);
  if (look & SETTINGS_LOOK_REVERSE) put(enter_reverse_mode);
  if (color >= 0 && set_a_foreground != NULL) put(tiparm(set_a_foreground, color));
}

void settings_terminal_clear(void) {
  put(exit_attribute_mode);
  put(clear_screen);
}

void settings_terminal_cursor(int is_shown) { put(is_shown ? cursor_normal : cursor_invisible); }
