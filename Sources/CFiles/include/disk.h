// How far a write is waited for, and what else of the system Swift doesn't reach.
#ifndef SETTINGS_CFILES_DISK_H
#define SETTINGS_CFILES_DISK_H

#include <stddef.h>
#include <sys/types.h>

#ifdef __linux__
// The magic number of the kind of file system that a path is on; 0 where that cannot be told.
unsigned long settings_file_system(const char *path);

// Declared by the system's headers for _GNU_SOURCE only, which Swift doesn't set.
extern int syncfs(int file);
#endif

typedef enum {
  // Not at all.
  SETTINGS_SYNC_NONE = 0,
  // A file's content has left for the disk. Names and content are there for good, in the order they were made in, once
  // any later file is synced: so it is on file systems with a journal.
  SETTINGS_SYNC_PUSH = 1,
  // It is on the disk.
  SETTINGS_SYNC_FULL = 2,
} settings_sync;

// Gives an open file the owner, the extended attributes and the mode of another one; -1 with errno where that can't be done.
int settings_copy_attributes(int from, int to);

int settings_sync_file(int file, settings_sync sync);

// Sends a file's content on its way and does not wait.
void settings_sync_begin(int file, settings_sync sync);

int settings_sync_folder(const char *path);

// A pipe whose ends no started program gets, not even one that another thread starts meanwhile (on Linux).
int settings_pipe(int ends[2]);

int settings_write_all(int file, const void *data, size_t count);

// Puts random digits in the place of the last `count` bytes of a name: one that no other process and no other thread uses.
// A process id would not do: it is 1 in every container.
int settings_random_end(char *name, size_t count);

// Makes a file for writing, with random digits in the place of the X's that `path` ends in. Counts from an open folder.
int settings_create_temporary(int folder, char *path, mode_t mode);

// Gives an open file, which has the name `temporary`, another one. Fails with ESTALE where that name is another file's.
int settings_rename_file(int file, int folder, const char *temporary, const char *name);

// The mode of what is made in git's folder, as git has it from core.sharedRepository: `shared` none, what the umask gave;
// more, these bits besides; less, these bits and no others.
int settings_share(int file, int shared);
int settings_share_at(int folder, const char *name, int shared);

// Whether the system lets a rename take a file's place: -1 with EPERM where it or its folder has a flag against that, with
// EBUSY where another file is mounted on it. That the folder may be written to is another question.
int settings_can_replace(const char *path, const char *folder);

// A file and a name in an open folder change places in one step.
int settings_exchange(const char *path, int folder, const char *name);

// Renames a file to a name in an open folder that nothing has.
int settings_rename_only(const char *path, int folder, const char *name);

// The first of what lies in a folder that is neither a file nor a folder, nor leads to one: a pipe, which whoever opens it
// waits for. Whether there is one.
int settings_find_special(const char *path, char *found, size_t room);

// Removes a folder with all that is in it; no symbolic link is followed.
int settings_remove_all(const char *path);


#endif
