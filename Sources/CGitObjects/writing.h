// What loose objects and packs need to be written.
#ifndef SETTINGS_CGITOBJECTS_WRITING_H
#define SETTINGS_CGITOBJECTS_WRITING_H

#include "batch.h"

// Says so to libgit2, which keeps the words for whoever asks. Returns -1.
int settings_writing_failed(const char *what, const char *path);

// Whether what failed did so because somebody has removed a file or a folder that was being written: `git prune` takes files
// for left ones that are older than it was told, and folders of objects that are empty. Then it is written again.
int settings_is_taken_away(void);
enum { settings_writing_attempts = 5 };

#endif
