#define _GNU_SOURCE
#include "start.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#ifdef __APPLE__
#include <crt_externs.h>
#include <mach-o/dyld.h>
#else
#include <sys/auxv.h>
#endif

static char *const *words = NULL;

#if defined(__GLIBC__) || defined(__APPLE__)
// Both hand a constructor what they hand to main.
__attribute__((constructor)) static void keep_arguments(int count, char **arguments) {
  (void)count;
  words = arguments;
}
#endif

char *const *settings_arguments(void) { return words; }

char **settings_environment(void) {
#ifdef __APPLE__
  // A library has no symbol for it there.
  return *_NSGetEnviron();
#else
  return environ;
#endif
}

char *settings_program_path(void) {
#ifdef __APPLE__
  char path[PATH_MAX];
  uint32_t size = sizeof path;
  return _NSGetExecutablePath(path, &size) == 0 ? realpath(path, NULL) : NULL;
#else
  char *path = realpath("/proc/self/exe", NULL);
  if (path != NULL) return path;
  // As it was started, which a script's interpreter is as well.
  const char *started = (const char *)getauxval(AT_EXECFN);
  return started == NULL ? NULL : realpath(started, NULL);
#endif
}

void settings_allow_files(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
#ifdef __APPLE__
  // More than this is refused.
  if (limit.rlim_cur > OPEN_MAX) limit.rlim_cur = OPEN_MAX;
#endif
  setrlimit(RLIMIT_NOFILE, &limit);
}

void settings_keep_memory(void) {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
}

void settings_return_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
