// Makes the Nth call that changes (or reads) a file system fail, or ends the process there. Preloaded into the program
// under test.
//
//   FAULT_AT=N       which call, from 1; 0 or unset: none, calls are only counted
//   FAULT_KIND=      once    that call fails
//                    from    that call and all later ones fail
//                    half    a write writes half of its bytes, and then fails; other calls fail once
//                    short   a read or a write transfers half of its bytes, which is allowed; other calls succeed
//                    before  the process dies before the call
//                    after   the process dies after the call
//   FAULT_READS=1    calls that only read are counted as well
//   FAULT_ERRNO=     the errno of a failing call
//   FAULT_COUNT=     a file to which each process appends a line when it ends: the number of its calls, and the name of the
//                    call that failed
//   FAULT_UNDER=     only calls on paths in this folder are counted; an open file by its path
//   FAULT_PROGRAM=   the name of the only program whose calls fail, not those of programs that it starts
//   FAULT_SYSTEM=    the magic number of the file system that is reported for every path, so that the behaviour on XFS
//                    can be tested anywhere
//   FAULT_FOLDERS=   the errno of each wait for a folder, as on some FUSE, SMB and 9p
//   FAULT_HIDES=1    a file that is open keeps another name where it is removed, as on FUSE and NFS, until it is closed

#define _GNU_SOURCE
#include "faults.h"

static int opens_for_writing(int flags) { return counts_reads || flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC); }

static mode_t mode_of(int flags, va_list arguments) {
  return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

#define OPEN(name)                                                       \
  int name(const char *path, int flags, ...) {                          \
    va_list arguments;                                                  \
    va_start(arguments, flags);                                         \
    mode_t mode = mode_of(flags, arguments);                            \
    va_end(arguments);                                                  \
    GUARD(opens_for_writing(flags) && counts_path(AT_FDCWD, path))      \
    CALL(int, REAL(name)(path, flags, mode))                            \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                     \
  int name(int folder, const char *path, int flags, ...) {              \
    va_list arguments;                                                  \
    va_start(arguments, flags);                                         \
    mode_t mode = mode_of(flags, arguments);                            \
    va_end(arguments);                                                  \
    GUARD(opens_for_writing(flags) && counts_path(folder, path))        \
    CALL(int, REAL(name)(folder, path, flags, mode))                    \
  }
OPENAT(openat)
OPENAT(openat64)

int creat(const char *path, mode_t mode) {
  GUARD(counts_path(AT_FDCWD, path))
  CALL(int, REAL(creat)(path, mode))
}
int creat64(const char *path, mode_t mode) {
  GUARD(counts_path(AT_FDCWD, path))
  CALL(int, REAL(creat64)(path, mode))
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  enum verdict verdict = judge(counts_open(descriptor));
  if ((verdict == HALFWAY || verdict == CUT) && count > 1) {
    atomic_store(&write_was_halved, verdict == HALFWAY);
    return REAL(write)(descriptor, bytes, count / 2);
  }
  if (verdict == FAIL || verdict == HALFWAY) {
    errno = fault_errno;
    return -1;
  }
  CALL(ssize_t, REAL(write)(descriptor, bytes, count))
}

#define PWRITE(name, offset_type)                                                    \
  ssize_t name(int descriptor, const void *bytes, size_t count, offset_type offset) { \
    enum verdict verdict = judge(counts_open(descriptor));                           \
    if ((verdict == HALFWAY || verdict == CUT) && count > 1) {                       \
      atomic_store(&write_was_halved, verdict == HALFWAY);                           \
      return REAL(name)(descriptor, bytes, count / 2, offset);                       \
    }                                                                                \
    if (verdict == FAIL || verdict == HALFWAY) {                                     \
      errno = fault_errno;                                                           \
      return -1;                                                                     \
    }                                                                                \
    CALL(ssize_t, REAL(name)(descriptor, bytes, count, offset))                      \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t writev(int descriptor, const struct iovec *vectors, int count) {
  GUARD(counts_open(descriptor))
  CALL(ssize_t, REAL(writev)(descriptor, vectors, count))
}

#define BY_DESCRIPTOR(name)                \
  int name(int descriptor) {               \
    GUARD(counts_open(descriptor))         \
    CALL(int, REAL(name)(descriptor))      \
  }
int fsync(int descriptor) {
  GUARD(counts_open(descriptor))
  struct stat status;
  if (folders_errno && REAL(fstat)(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    errno = folders_errno;
    return -1;
  }
  CALL(int, REAL(fsync)(descriptor))
}
BY_DESCRIPTOR(fdatasync)
BY_DESCRIPTOR(syncfs)

int sync_file_range(int descriptor, off64_t offset, off64_t count, unsigned flags) {
  GUARD(counts_open(descriptor))
  CALL(int, REAL(sync_file_range)(descriptor, offset, count, flags))
}
int ftruncate(int descriptor, off_t length) {
  GUARD(counts_open(descriptor))
  CALL(int, REAL(ftruncate)(descriptor, length))
}
int ftruncate64(int descriptor, off64_t length) {
  GUARD(counts_open(descriptor))
  CALL(int, REAL(ftruncate64)(descriptor, length))
}
int fallocate(int descriptor, int mode, off_t offset, off_t length) {
  GUARD(counts_open(descriptor))
  CALL(int, REAL(fallocate)(descriptor, mode, offset, length))
}

int rename(const char *old, const char *new) {
  GUARD(counts_path(AT_FDCWD, new))
  CALL(int, REAL(rename)(old, new))
}
int renameat(int from, const char *old, int to, const char *new) {
  GUARD(counts_path(to, new))
  CALL(int, REAL(renameat)(from, old, to, new))
}
int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
  GUARD(counts_path(to, new))
  CALL(int, REAL(renameat2)(from, old, to, new, flags))
}
int link(const char *old, const char *new) {
  GUARD(counts_path(AT_FDCWD, new))
  CALL(int, REAL(link)(old, new))
}
int linkat(int from, const char *old, int to, const char *new, int flags) {
  GUARD(counts_path(to, new))
  CALL(int, REAL(linkat)(from, old, to, new, flags))
}
int symlink(const char *target, const char *path) {
  GUARD(counts_path(AT_FDCWD, path))
  CALL(int, REAL(symlink)(target, path))
}
int unlink(const char *path) {
  GUARD(counts_path(AT_FDCWD, path))
  if (hides(AT_FDCWD, path)) return 0;
  CALL(int, REAL(unlink)(path))
}
int unlinkat(int folder, const char *path, int flags) {
  GUARD(counts_path(folder, path))
  if (!(flags & AT_REMOVEDIR) && hides(folder, path)) return 0;
  CALL(int, REAL(unlinkat)(folder, path, flags))
}
int close(int descriptor) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = hides_open_files ? syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1) : 0;
  path[length > 0 ? length : 0] = 0;
  const char *slash = strrchr(path, '/');
  if (slash && !strncmp(slash, "/.fuse_hidden", 13)) REAL(unlink)(path);
  return REAL(close)(descriptor);
}
int remove(const char *path) {
  GUARD(counts_path(AT_FDCWD, path))
  if (hides(AT_FDCWD, path)) return 0;
  CALL(int, REAL(remove)(path))
}
int rmdir(const char *path) {
  GUARD(counts_path(AT_FDCWD, path))
  CALL(int, REAL(rmdir)(path))
}
int mkdir(const char *path, mode_t mode) {
  GUARD(counts_path(AT_FDCWD, path))
  CALL(int, REAL(mkdir)(path, mode))
}
int mkdirat(int folder, const char *path, mode_t mode) {
  GUARD(counts_path(folder, path))
  CALL(int, REAL(mkdirat)(folder, path, mode))
}
int chmod(const char *path, mode_t mode) {
  GUARD(counts_path(AT_FDCWD, path))
  CALL(int, REAL(chmod)(path, mode))
}
int fchmod(int descriptor, mode_t mode) {
  GUARD(counts_open(descriptor))
  CALL(int, REAL(fchmod)(descriptor, mode))
}
int utimensat(int folder, const char *path, const struct timespec times[2], int flags) {
  GUARD(counts_path(folder, path))
  CALL(int, REAL(utimensat)(folder, path, times, flags))
}
int futimens(int descriptor, const struct timespec times[2]) {
  GUARD(counts_open(descriptor))
  CALL(int, REAL(futimens)(descriptor, times))
}
int mkstemp(char *template) {
  GUARD(counts_path(AT_FDCWD, template))
  CALL(int, REAL(mkstemp)(template))
}

// Calls that only read.

#define GUARD_READ(counts, failure)                               \
  enum verdict verdict = judge_read(counts);                      \
  if (verdict == FAIL || verdict == HALFWAY) {                    \
    errno = fault_errno;                                          \
    return failure;                                               \
  }

ssize_t read(int descriptor, void *bytes, size_t count) {
  GUARD_READ(counts_open(descriptor), -1)
  if (verdict == CUT && count > 1) count = (count + 1) / 2;
  CALL(ssize_t, REAL(read)(descriptor, bytes, count))
}

#define PREAD(name, offset_type)                                               \
  ssize_t name(int descriptor, void *bytes, size_t count, offset_type offset) { \
    GUARD_READ(counts_open(descriptor), -1)                                    \
    if (verdict == CUT && count > 1) count = (count + 1) / 2;                  \
    CALL(ssize_t, REAL(name)(descriptor, bytes, count, offset))                \
  }
PREAD(pread, off_t)
PREAD(pread64, off64_t)

#define MMAP(name, offset_type)                                                                              \
  void *name(void *address, size_t length, int protection, int flags, int descriptor, offset_type offset) {  \
    GUARD_READ(descriptor >= 0 && !(flags & MAP_ANONYMOUS) && counts_open(descriptor), MAP_FAILED)           \
    CALL(void *, REAL(name)(address, length, protection, flags, descriptor, offset))                         \
  }
MMAP(mmap, off_t)
MMAP(mmap64, off64_t)

#define STAT(name, type)                                 \
  int name(const char *path, struct type *status) {      \
    GUARD_READ(counts_path(AT_FDCWD, path), -1)          \
    CALL(int, REAL(name)(path, status))                  \
  }
STAT(stat, stat)
STAT(lstat, stat)
STAT(stat64, stat64)
STAT(lstat64, stat64)

#define FSTAT(name, type)                            \
  int name(int descriptor, struct type *status) {    \
    GUARD_READ(counts_open(descriptor), -1)          \
    CALL(int, REAL(name)(descriptor, status))        \
  }
FSTAT(fstat, stat)
FSTAT(fstat64, stat64)

#define FSTATAT(name, type)                                                  \
  int name(int folder, const char *path, struct type *status, int flags) {   \
    GUARD_READ(counts_path(folder, path), -1)                                \
    CALL(int, REAL(name)(folder, path, status, flags))                       \
  }
FSTATAT(fstatat, stat)
FSTATAT(fstatat64, stat64)

int access(const char *path, int mode) {
  GUARD_READ(counts_path(AT_FDCWD, path), -1)
  CALL(int, REAL(access)(path, mode))
}
int faccessat(int folder, const char *path, int mode, int flags) {
  GUARD_READ(counts_path(folder, path), -1)
  CALL(int, REAL(faccessat)(folder, path, mode, flags))
}
ssize_t readlink(const char *path, char *target, size_t size) {
  GUARD_READ(counts_path(AT_FDCWD, path), -1)
  CALL(ssize_t, REAL(readlink)(path, target, size))
}
ssize_t readlinkat(int folder, const char *path, char *target, size_t size) {
  GUARD_READ(counts_path(folder, path), -1)
  CALL(ssize_t, REAL(readlinkat)(folder, path, target, size))
}
char *realpath(const char *path, char *resolved) {
  GUARD_READ(counts_path(AT_FDCWD, path), NULL)
  CALL(char *, REAL(realpath)(path, resolved))
}
DIR *opendir(const char *path) {
  GUARD_READ(counts_path(AT_FDCWD, path), NULL)
  CALL(DIR *, REAL(opendir)(path))
}
DIR *fdopendir(int descriptor) {
  GUARD_READ(counts_open(descriptor), NULL)
  CALL(DIR *, REAL(fdopendir)(descriptor))
}
struct dirent *readdir(DIR *folder) {
  GUARD_READ(counts_open(dirfd(folder)), NULL)
  CALL(struct dirent *, REAL(readdir)(folder))
}
struct dirent64 *readdir64(DIR *folder) {
  GUARD_READ(counts_open(dirfd(folder)), NULL)
  CALL(struct dirent64 *, REAL(readdir64)(folder))
}
int flock(int descriptor, int operation) {
  GUARD_READ(counts_open(descriptor), -1)
  CALL(int, REAL(flock)(descriptor, operation))
}
int dup(int descriptor) {
  GUARD_READ(counts_open(descriptor), -1)
  CALL(int, REAL(dup)(descriptor))
}

#define STATFS(name)                                               \
  int name(const char *path, struct name *system) {                \
    int code = REAL(name)(path, system);                           \
    if (code == 0 && file_system) system->f_type = file_system;    \
    return code;                                                   \
  }
STATFS(statfs)
STATFS(statfs64)
