// A terminal by ncursesw: everything that its macros, variadic functions and globals keep from Swift.
#ifndef SETTINGS_TERMINAL_H
#define SETTINGS_TERMINAL_H

#include <stddef.h>
#include <stdint.h>

// Why a terminal can't be used for pages.
enum settings_terminal_failure {
  SETTINGS_TERMINAL_OK = 0,
  SETTINGS_TERMINAL_UNKNOWN = 1,  // TERM names none that is known
  SETTINGS_TERMINAL_DUMB = 2,     // its cursor can't be placed
};

// Keys that are no characters.
enum settings_terminal_key {
  SETTINGS_KEY_UP = 0x200000,
  SETTINGS_KEY_DOWN,
  SETTINGS_KEY_LEFT,
  SETTINGS_KEY_RIGHT,
  SETTINGS_KEY_SHIFT_UP,
  SETTINGS_KEY_SHIFT_DOWN,
  SETTINGS_KEY_SHIFT_LEFT,
  SETTINGS_KEY_SHIFT_RIGHT,
  SETTINGS_KEY_PAGE_UP,
  SETTINGS_KEY_PAGE_DOWN,
  SETTINGS_KEY_HOME,
  SETTINGS_KEY_END,
  SETTINGS_KEY_ENTER,
  SETTINGS_KEY_BACKSPACE,
  SETTINGS_KEY_DELETE,
  SETTINGS_KEY_BACK_TAB,
  SETTINGS_KEY_ESCAPE,
  SETTINGS_KEY_PASTE_BEGIN,
  SETTINGS_KEY_PASTE_END,
  SETTINGS_KEY_MOUSE,
  SETTINGS_KEY_WHEEL_UP,
  SETTINGS_KEY_WHEEL_DOWN,
  SETTINGS_KEY_ALT_ENTER,
  SETTINGS_KEY_OTHER,
  SETTINGS_KEY_FUNCTION = 0x200100,  // and the number of the function key
};

// What there is to read.
enum settings_terminal_ready {
  SETTINGS_READY_KEYS = 1,
  SETTINGS_READY_SIZE = 2,
  SETTINGS_READY_SUSPEND = 4,
  SETTINGS_READY_END = 8,    // the terminal is gone
  SETTINGS_READY_OTHER = 16,  // one of the others
};

// How a cell looks.
enum settings_terminal_look {
  SETTINGS_LOOK_BOLD = 1,
  SETTINGS_LOOK_DIM = 2,
  SETTINGS_LOOK_UNDERLINE = 4,
  SETTINGS_LOOK_REVERSE = 8,
};

int settings_terminal_open(void);
void settings_terminal_close(void);
// What is typed isn't shown from now on, or is again. A signal that ends the process gives the terminal back as it was.
void settings_terminal_hide(int is_hidden);
// Whether the locale is UTF-8, and how many colors the terminal has.
int settings_terminal_is_utf8(void);
int settings_terminal_colors(void);
void settings_terminal_size(int *rows, int *columns);

// Waits for the terminal or for one of a few other descriptors to be read from, for at most so many milliseconds.
int settings_terminal_wait(int milliseconds, const int *others, size_t count);
// The next key or character; -1 if there is none.
int32_t settings_terminal_key(void);
// Where the mouse was pressed.
void settings_terminal_mouse(int *row, int *column);

// Output is collected until it is flushed. `color` is 0 to 7, or -1 for the terminal's own.
void settings_terminal_move(int row, int column);
void settings_terminal_look(int look, int color);
void settings_terminal_text(const char *text, size_t length);
void settings_terminal_clear(void);
void settings_terminal_cursor(int is_shown);
void settings_terminal_flush(void);

// Leaves the screen to another program, or to the shell until it continues this one; and takes it back.
void settings_terminal_leave(void);
void settings_terminal_enter(void);
void settings_terminal_stop(void);
// While another program has the terminal, what is typed there doesn't end this one.
void settings_terminal_lend(int is_lent);

#endif
