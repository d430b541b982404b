#ifndef SETTINGS_CGIT2_SHIM_H
#define SETTINGS_CGIT2_SHIM_H

#include <git2.h>
#include <git2/sys/commit_graph.h>
#include <git2/sys/odb_backend.h>

// What Swift compares and looks through bytes with.
#include <string.h>

// Swift imports no variadic function: one wrapper for each option that is set.

static inline int settings_git_enable_fsync(int enabled) {
  return git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, enabled);
}

static inline int settings_git_set_owner_validation(int enabled) {
  return git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, enabled);
}

static inline int settings_git_set_search_path(int level, const char *path) {
  return git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, path);
}

static inline int settings_git_set_mapped_limit(size_t bytes) {
  return git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, bytes);
}

static inline int settings_git_set_cache_limit(ssize_t bytes) {
  return git_libgit2_opts(GIT_OPT_SET_CACHE_MAX_SIZE, bytes);
}

static inline int settings_git_set_packed_priority(int priority) {
  return git_libgit2_opts(GIT_OPT_SET_ODB_PACKED_PRIORITY, priority);
}

static inline int settings_git_set_extensions(const char *const *names, size_t count) {
  return git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, names, count);
}

#endif
