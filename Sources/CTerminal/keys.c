#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE 1
#define NCURSES_WIDECHAR 1
#include "terminal.h"

#include <ncurses.h>
#include <string.h>
#include <time.h>

static int mouse_row = 0, mouse_column = 0;

// A slow connection may cut a sequence: its escape was taken for a key then, and what comes after it soon is none.
static enum { WHOLE, AFTER_ESCAPE, IN_SEQUENCE } cut = WHOLE;
static struct timespec cut_at;
static char parameters[33];

static void cut_off(int place) {
  cut = place;
  clock_gettime(CLOCK_MONOTONIC, &cut_at);
}

static int is_cut(void) {
  struct timespec now;
  if (cut == WHOLE) return 0;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if ((now.tv_sec - cut_at.tv_sec) * 1000 + (now.tv_nsec - cut_at.tv_nsec) / 1000000 >= 500) cut = WHOLE;
  return cut != WHOLE;
}

// What is left of a sequence, up to its last byte. That of a paste has to be known, or its text would be commands.
static int32_t swallow_parameters(void) {
  size_t length = strlen(parameters);
  wint_t next;
  for (;;) {
    if (get_wch(&next) == ERR) {
      cut_off(IN_SEQUENCE);
      return SETTINGS_KEY_OTHER;
    }
    if (next >= 0x40 && next <= 0x7E) break;
    if (next < 0x20 || next > 0x7E || length + 1 >= sizeof parameters) {
      unget_wch((wchar_t)next);
      break;
    }
    parameters[length++] = (char)next;
    parameters[length] = 0;
  }
  cut = WHOLE;
  return next == '~' && strcmp(parameters, "200") == 0 ? SETTINGS_KEY_PASTE_BEGIN : SETTINGS_KEY_OTHER;
}

// What follows an escape that ncurses doesn't know, up to its last byte.
static int32_t swallow(void) {
  wint_t next;
  int kind = get_wch(&next);
  if (kind == ERR) {
    cut_off(AFTER_ESCAPE);
    return SETTINGS_KEY_ESCAPE;
  }
  if (kind == KEY_CODE_YES) {
    ungetch((int)next);
    return SETTINGS_KEY_ESCAPE;
  }
  if (next == '\r' || next == '\n') return SETTINGS_KEY_ALT_ENTER;
  // Presses that were waiting are presses of their own, and so is what a terminal sends for Alt with a key.
  if (next != '[' && next != 'O') {
    unget_wch((wchar_t)next);
    return SETTINGS_KEY_ESCAPE;
  }
  parameters[0] = 0;
  return swallow_parameters();
}

static int32_t mouse(void) {
  MEVENT event;
  if (getmouse(&event) != OK) return SETTINGS_KEY_OTHER;
  mouse_row = event.y;
  mouse_column = event.x;
  if (event.bstate & BUTTON4_PRESSED) return SETTINGS_KEY_WHEEL_UP;
  if (event.bstate & BUTTON5_PRESSED) return SETTINGS_KEY_WHEEL_DOWN;
  if (event.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED)) return SETTINGS_KEY_MOUSE;
  // A button that is let go, or one that does nothing here.
  return settings_terminal_key();
}

int32_t settings_terminal_key(void) {
  static const struct { int curses; int32_t key; } keys[] = {
      {KEY_UP, SETTINGS_KEY_UP},          {KEY_DOWN, SETTINGS_KEY_DOWN},         {KEY_LEFT, SETTINGS_KEY_LEFT},
      {KEY_RIGHT, SETTINGS_KEY_RIGHT},    {KEY_SR, SETTINGS_KEY_SHIFT_UP},       {KEY_SF, SETTINGS_KEY_SHIFT_DOWN},
      {KEY_SLEFT, SETTINGS_KEY_SHIFT_LEFT}, {KEY_SRIGHT, SETTINGS_KEY_SHIFT_RIGHT}, {KEY_PPAGE, SETTINGS_KEY_PAGE_UP},
      {KEY_NPAGE, SETTINGS_KEY_PAGE_DOWN}, {KEY_HOME, SETTINGS_KEY_HOME},        {KEY_END, SETTINGS_KEY_END},
      {KEY_ENTER, SETTINGS_KEY_ENTER},    {KEY_BACKSPACE, SETTINGS_KEY_BACKSPACE}, {KEY_DC, SETTINGS_KEY_DELETE},
      {KEY_BTAB, SETTINGS_KEY_BACK_TAB},  {KEY_MAX + 1, SETTINGS_KEY_PASTE_BEGIN}, {KEY_MAX + 2, SETTINGS_KEY_PASTE_END},
  };
  wint_t character;
  int kind = get_wch(&character);
  if (kind == ERR) return -1;
  if (is_cut()) {
    int is_in_sequence = cut == IN_SEQUENCE;
    cut = WHOLE;
    if (kind == OK && is_in_sequence) {
      unget_wch((wchar_t)character);
      return swallow_parameters();
    }
    if (kind == OK && (character == '[' || character == 'O')) {
      parameters[0] = 0;
      return swallow_parameters();
    }
  }
  if (kind == KEY_CODE_YES) {
    if (character == KEY_MOUSE) return mouse();
    for (size_t index = 0; index < sizeof keys / sizeof *keys; index++) {
      if ((int)character == keys[index].curses) return keys[index].key;
    }
    if (character >= KEY_F(1) && character <= KEY_F(12)) return SETTINGS_KEY_FUNCTION + (int32_t)(character - KEY_F0);
    return SETTINGS_KEY_OTHER;
  }
  return character == 27 ? swallow() : (int32_t)character;
}

void settings_terminal_mouse(int *row, int *column) {
  *row = mouse_row;
  *column = mouse_column;
}
