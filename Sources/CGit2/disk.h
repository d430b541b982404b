// How far a write is waited for.
#ifndef SETTINGS_CGIT2_DISK_H
#define SETTINGS_CGIT2_DISK_H

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <git2.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/vfs.h>

// The magic number of the kind of file system that a path is on; 0 where that cannot be told.
static inline unsigned long settings_file_system(const char *path) {
  struct statfs system;
  return statfs(path, &system) == 0 ? (unsigned long)system.f_type : 0;
}

// Declared by the system's headers for _GNU_SOURCE only, which Swift doesn't set.
extern int syncfs(int file);
extern int sync_file_range(int file, off_t offset, off_t count, unsigned int flags);
extern int renameat2(int from, const char *old, int to, const char *name, unsigned int flags);
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

static inline int settings_sync_file(int file, settings_sync sync) {
  if (sync == SETTINGS_SYNC_NONE) return 0;
#ifdef __linux__
  // Wait for what is on its way, send the rest, wait for it: 1 | 2 | 4.
  if (sync == SETTINGS_SYNC_PUSH) return sync_file_range(file, 0, 0, 7);
#endif
#ifdef __APPLE__
  // fsync leaves it in the drive's cache there.
  if (fcntl(file, F_FULLFSYNC) == 0) return 0;
#endif
  int code;
  do {
    code = fsync(file);
  } while (code != 0 && errno == EINTR);
  return code;
}

// The mode of what is made in git's folder, as git has it from core.sharedRepository: `shared` none, what the umask gave;
// more, these bits besides; less, these bits and no others.
static inline mode_t settings_shared_mode(mode_t mode, int shared) {
  mode_t bits = (mode_t)(shared < 0 ? -shared : shared);
  if ((mode & S_IWUSR) == 0) bits &= ~(mode_t)0222;
  if ((mode & S_IXUSR) != 0) bits |= (bits & 0444) >> 2;
  mode_t result = shared < 0 ? (mode & ~(mode_t)0777) | bits : mode | bits;
  if (S_ISDIR(mode)) {
    result |= (result & 0444) >> 2;
#ifndef __APPLE__
    // What is made in it is the group's; there it is so anyhow.
    if ((result & 060) != 0) result |= S_ISGID;
#endif
  }
  return result;
}

static inline int settings_share(int file, int shared) {
  struct stat status;
  if (shared == 0) return 0;
  if (fstat(file, &status) != 0) return -1;
  mode_t mode = settings_shared_mode(status.st_mode, shared);
  return mode == status.st_mode ? 0 : fchmod(file, mode & 07777);
}

static inline int settings_share_at(int folder, const char *name, int shared) {
  struct stat status;
  if (shared == 0) return 0;
  if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0 || S_ISLNK(status.st_mode)) return -1;
  mode_t mode = settings_shared_mode(status.st_mode, shared);
  return mode == status.st_mode ? 0 : fchmodat(folder, name, mode & 07777, 0);
}

// Sends a file's content on its way and does not wait.
static inline void settings_sync_begin(int file, settings_sync sync) {
#ifdef __linux__
  if (sync != SETTINGS_SYNC_NONE) sync_file_range(file, 0, 0, 2);
#else
  (void)file, (void)sync;
#endif
}

static inline int settings_sync_folder(const char *path) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return -1;
  int code = settings_sync_file(folder, SETTINGS_SYNC_FULL);
  int reason = errno;
  close(folder);
  errno = reason;
  return code;
}

static inline int settings_write_all(int file, const void *data, size_t count) {
  const char *bytes = (const char *)data;
  while (count > 0) {
    ssize_t written = write(file, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = ENOSPC;
    if (written <= 0) return -1;
    bytes += written;
    count -= (size_t)written;
  }
  return 0;
}

// Says so to libgit2, which keeps the words for whoever asks.
static inline int settings_writing_failed(const char *what, const char *path) {
  char message[512];
  snprintf(message, sizeof message, "failed to %s %s: %s", what, path, strerror(errno));
  git_error_set_str(GIT_ERROR_OS, message);
  return -1;
}

// A file and a name in an open folder change places in one step.
static inline int settings_exchange(const char *path, int folder, const char *name) {
#ifdef __linux__
  return renameat2(AT_FDCWD, path, folder, name, 2);
#else
  return renameatx_np(AT_FDCWD, path, folder, name, RENAME_SWAP);
#endif
}

// Renames a file to a name in an open folder that nothing has.
static inline int settings_rename_only(const char *path, int folder, const char *name) {
#ifdef __linux__
  return renameat2(AT_FDCWD, path, folder, name, 1);
#else
  return renameatx_np(AT_FDCWD, path, folder, name, RENAME_EXCL);
#endif
}

// The first of what lies in a folder that is neither a file nor a folder, nor leads to one: a pipe, which whoever opens it
// waits for. Whether there is one.
static inline int settings_find_special(const char *path, char *found, size_t room) {
  char *paths[] = {(char *)path, NULL};
  FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
  if (walk == NULL) return 0;
  int is_found = 0;
  for (FTSENT *entry; !is_found && (entry = fts_read(walk)) != NULL;) {
    struct stat status;
    if (entry->fts_info != FTS_DEFAULT && entry->fts_info != FTS_SL) continue;
    if (stat(entry->fts_accpath, &status) != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) continue;
    is_found = snprintf(found, room, "%s", entry->fts_path) < (int)room;
  }
  fts_close(walk);
  return is_found;
}

// Removes a folder with all that is in it; no symbolic link is followed.
static inline int settings_remove_all(const char *path) {
  char *paths[] = {(char *)path, NULL};
  FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
  if (walk == NULL) return -1;
  int code = 0, reason = 0;
  for (FTSENT *entry; (entry = fts_read(walk)) != NULL;) {
    // A folder comes before what is in it, and again after that.
    if (entry->fts_info == FTS_D) continue;
    if (remove(entry->fts_accpath) != 0 && code == 0) code = -1, reason = errno;
  }
  fts_close(walk);
  errno = reason;
  return code;
}

#endif
