// What loose objects and packs need to be written.
#ifndef SETTINGS_CGITOBJECTS_WRITING_H
#define SETTINGS_CGITOBJECTS_WRITING_H

#include "batch.h"

// Says so to libgit2, which keeps the words for whoever asks. Returns -1.
int settings_writing_failed(const char *what, const char *path);

#endif
