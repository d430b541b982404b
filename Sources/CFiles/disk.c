#define _GNU_SOURCE
#include "disk.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <stdlib.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

unsigned long settings_file_system(const char *path) {
  struct statfs system;
  return statfs(path, &system) == 0 ? (unsigned long)system.f_type : 0;
}
#endif

#ifdef __linux__
static int copy_extended_attributes(int from, int to) {
  ssize_t size = flistxattr(from, NULL, 0);
  if (size <= 0) return 0;
  char *names = malloc((size_t)size);
  if (!names) return -1;
  size = flistxattr(from, names, (size_t)size);
  int result = 0;
  for (char *name = names; size > 0 && name < names + size; name += strlen(name) + 1) {
    ssize_t length = fgetxattr(from, name, NULL, 0);
    char *value = length < 0 ? NULL : malloc((size_t)length + 1);
    if (!value) continue;
    length = fgetxattr(from, name, value, (size_t)length);
    // The system keeps some for itself, such as a label that it gives every file.
    if (length >= 0 && fsetxattr(to, name, value, (size_t)length, 0) != 0 && strncmp(name, "user.", 5) == 0) result = -1;
    free(value);
  }
  free(names);
  return result;
}
#endif

int settings_copy_attributes(int from, int to) {
  struct stat own, other;
  if (fstat(from, &own) != 0 || fstat(to, &other) != 0) return -1;
  if ((own.st_uid != other.st_uid || own.st_gid != other.st_gid) && fchown(to, own.st_uid, own.st_gid) != 0) return -1;
#ifdef __linux__
  if (copy_extended_attributes(from, to) != 0) return -1;
#endif
  return fchmod(to, own.st_mode & 07777);
}

int settings_sync_file(int file, settings_sync sync) {
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
  // Some file systems can't wait for a folder (FUSE, SMB, 9p); as git, what is in their power is done.
  if (code != 0 && (errno == EINVAL || errno == ENOTSUP)) {
    int reason = errno;
    struct stat status;
    if (fstat(file, &status) == 0 && S_ISDIR(status.st_mode)) return 0;
    errno = reason;
  }
  return code;
}

#ifdef __linux__
#ifndef STATX_ATTR_MOUNT_ROOT
#define STATX_ATTR_MOUNT_ROOT 0x2000
#endif
int settings_can_replace(const char *path, const char *folder) {
  struct statx file, above;
  if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, 0, &file) != 0 || statx(AT_FDCWD, folder, 0, 0, &above) != 0) return 0;
  if (file.stx_attributes & STATX_ATTR_MOUNT_ROOT) {
    errno = EBUSY;
    return -1;
  }
  if (((file.stx_attributes & (STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND)) | (above.stx_attributes & STATX_ATTR_APPEND)) == 0) return 0;
  errno = EPERM;
  return -1;
}
#else
int settings_can_replace(const char *path, const char *folder) {
  const unsigned int append = UF_APPEND | SF_APPEND;
  struct stat file, above;
  if (lstat(path, &file) != 0 || stat(folder, &above) != 0) return 0;
  if (((file.st_flags & (UF_IMMUTABLE | SF_IMMUTABLE | append)) | (above.st_flags & append)) == 0) return 0;
  errno = EPERM;
  return -1;
}
#endif

static mode_t settings_shared_mode(mode_t mode, int shared) {
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

int settings_share(int file, int shared) {
  struct stat status;
  if (shared == 0) return 0;
  if (fstat(file, &status) != 0) return -1;
  mode_t mode = settings_shared_mode(status.st_mode, shared);
  return mode == status.st_mode ? 0 : fchmod(file, mode & 07777);
}

int settings_share_at(int folder, const char *name, int shared) {
  if (shared == 0) return 0;
  int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return -1;
  int code = settings_share(file, shared);
  close(file);
  return code;
}

void settings_sync_begin(int file, settings_sync sync) {
#ifdef __linux__
  if (sync != SETTINGS_SYNC_NONE) sync_file_range(file, 0, 0, 2);
#else
  (void)file, (void)sync;
#endif
}

int settings_sync_folder(const char *path) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return -1;
  int code = settings_sync_file(folder, SETTINGS_SYNC_FULL);
  int reason = errno;
  close(folder);
  errno = reason;
  return code;
}

int settings_write_all(int file, const void *data, size_t count) {
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

int settings_random_end(char *name, size_t count) {
  static const char digits[] = "0123456789abcdef";
  unsigned char bytes[64];
  size_t length = strlen(name);
  if (count > sizeof bytes || count > length) {
    errno = EINVAL;
    return -1;
  }
  if (getentropy(bytes, count) != 0) return -1;
  for (size_t i = 0; i < count; i++) name[length - count + i] = digits[bytes[i] & 15];
  return 0;
}

int settings_create_temporary(int folder, char *path, mode_t mode) {
  size_t length = strlen(path), count = 0;
  while (count < length && path[length - count - 1] == 'X') count++;
  for (int attempt = 0; attempt < 20; attempt++) {
    if (settings_random_end(path, count) != 0) return -1;
    int file = openat(folder, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

int settings_rename_file(int file, int folder, const char *temporary, const char *name) {
  struct stat open, named;
  if (fstat(file, &open) != 0 || fstatat(folder, temporary, &named, AT_SYMLINK_NOFOLLOW) != 0) return -1;
  if (open.st_dev != named.st_dev || open.st_ino != named.st_ino) {
    errno = ESTALE;
    return -1;
  }
  return renameat(folder, temporary, folder, name);
}

int settings_exchange(const char *path, int folder, const char *name) {
#ifdef __linux__
  return renameat2(AT_FDCWD, path, folder, name, 2);
#else
  return renameatx_np(AT_FDCWD, path, folder, name, RENAME_SWAP);
#endif
}

int settings_rename_only(const char *path, int folder, const char *name) {
#ifdef __linux__
  return renameat2(AT_FDCWD, path, folder, name, 1);
#else
  return renameatx_np(AT_FDCWD, path, folder, name, RENAME_EXCL);
#endif
}

int settings_find_special(const char *path, char *found, size_t room) {
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

int settings_remove_all(const char *path) {
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

int settings_pipe(int ends[2]) {
#ifdef __linux__
  return pipe2(ends, O_CLOEXEC);
#else
  if (pipe(ends) != 0) return -1;
  for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  return 0;
#endif
}
