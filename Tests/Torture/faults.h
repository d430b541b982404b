// How a call is counted, and whether it fails: see faults.c.
#ifndef SETTINGS_FAULTS_H
#define SETTINGS_FAULTS_H

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

enum kind { ONCE, FROM, HALF, SHORT, BEFORE, AFTER };
enum verdict { PASS, FAIL, HALFWAY, CUT, DIE_AFTER };

static atomic_long calls;
static atomic_int write_was_halved;
static int counts_reads;
static long fault_at;
static enum kind fault_kind;
static int fault_errno = EIO;
static const char *count_file;
static const char *failed = "";
static const char *under;
static unsigned long file_system;
static int folders_errno;
static int hides_open_files;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
  const char *at = getenv("FAULT_AT"), *kind = getenv("FAULT_KIND"), *number = getenv("FAULT_ERRNO");
  fault_at = at ? atol(at) : 0;
  fault_kind = !kind                     ? ONCE
               : !strcmp(kind, "from")   ? FROM
               : !strcmp(kind, "half")   ? HALF
               : !strcmp(kind, "short")  ? SHORT
               : !strcmp(kind, "before") ? BEFORE
               : !strcmp(kind, "after")  ? AFTER
                                         : ONCE;
  if (number) fault_errno = atoi(number);
  const char *reads = getenv("FAULT_READS");
  counts_reads = reads && atoi(reads);
  count_file = getenv("FAULT_COUNT");
  under = getenv("FAULT_UNDER");
  const char *system = getenv("FAULT_SYSTEM");
  if (system) file_system = strtoul(system, NULL, 0);
  const char *folders = getenv("FAULT_FOLDERS"), *hiding = getenv("FAULT_HIDES");
  if (folders) folders_errno = atoi(folders);
  hides_open_files = hiding && atoi(hiding);
  const char *program = getenv("FAULT_PROGRAM");
  if (program && strcmp(program, program_invocation_short_name)) {
    fault_at = folders_errno = hides_open_files = 0;
    count_file = NULL;
  }
}

__attribute__((destructor)) static void end(void) {
  if (!count_file) return;
  char text[64];
  int length = snprintf(text, sizeof text, "%ld %s\n", atomic_load(&calls), failed);
  int descriptor = REAL(open)(count_file, O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (descriptor < 0) return;
  if (REAL(write)(descriptor, text, length) != length) abort();
  REAL(close)(descriptor);
}

__attribute__((noreturn)) static void die(void) {
  end();
  _exit(137);
}

static int is_below(const char *path) { return !under || !strncmp(path, under, strlen(under)); }

// Whether an open file counts: regular files and folders in the folder, but no terminals and pipes.
static int counts_open(int descriptor) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return path[0] == '/' && is_below(path);
}

// A relative path counts if its folder does.
static int counts_path(int folder, const char *path) {
  if (path && path[0] == '/') return is_below(path);
  if (folder == AT_FDCWD) {
    char current[PATH_MAX];
    return getcwd(current, sizeof current) && is_below(current);
  }
  return counts_open(folder);
}

// Whether a file that is to be removed is open here; it has another name then.
static int hides(int folder, const char *path) {
  struct stat removed, open;
  if (!hides_open_files || !counts_path(folder, path)) return 0;
  if (REAL(fstatat)(folder, path, &removed, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(removed.st_mode)) return 0;
  for (int file = 0; file < 256; file++) {
    if (REAL(fstat)(file, &open) != 0 || open.st_dev != removed.st_dev || open.st_ino != removed.st_ino) continue;
    static atomic_int count;
    char name[PATH_MAX];
    const char *slash = strrchr(path, '/');
    int length = slash ? (int)(slash - path) + 1 : 0;
    snprintf(name, sizeof name, "%.*s.fuse_hidden%d-%d", length, path, getpid(), atomic_fetch_add(&count, 1));
    return REAL(renameat)(folder, path, folder, name) == 0;
  }
  return 0;
}

static enum verdict judge_call(const char *name, int counts) {
  if (!counts) return PASS;
  long number = atomic_fetch_add(&calls, 1) + 1;
  if (!fault_at || number < fault_at) return PASS;
  if (number > fault_at && fault_kind != FROM && !(fault_kind == HALF && atomic_exchange(&write_was_halved, 0))) return PASS;
  if (number == fault_at) failed = name;
  switch (fault_kind) {
    case BEFORE: die();
    case AFTER: return DIE_AFTER;
    case SHORT: return CUT;
    case HALF: errno = fault_errno; return number == fault_at ? HALFWAY : FAIL;
    default: errno = fault_errno; return FAIL;
  }
}

#define judge(counts) judge_call(__func__, counts)
#define judge_read(counts) judge_call(__func__, counts_reads && (counts))

static void die_if(enum verdict verdict) {
  if (verdict == DIE_AFTER) die();
}

#define GUARD(counts)                       \
  enum verdict verdict = judge(counts);     \
  if (verdict == FAIL || verdict == HALFWAY) { \
    errno = fault_errno;                    \
    return -1;                              \
  }

#define CALL(type, expression) \
  type result = (expression);  \
  int left = errno;            \
  die_if(verdict);             \
  errno = left;                \
  return result;

#endif
