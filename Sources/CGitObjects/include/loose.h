#ifndef SETTINGS_CGITOBJECTS_LOOSE_H
#define SETTINGS_CGITOBJECTS_LOOSE_H

#include "../../CGit2/shim.h"

#include <git2/sys/odb_backend.h>
#include <zlib.h>

// Adds a reader of the loose objects in `folder` to a database.
int settings_loose_add(git_odb *database, const char *folder, int priority);

// As git_odb_read, but not compared with its name by its hash, which is half of what reading costs (zlib's checksums still
// find damage), and not kept in memory: making room for the next ones took a fifth of a walk. libgit2 can leave either out
// for the whole process only. What no backend has at once is GIT_ENOTFOUND: git_odb_read looks again.
int settings_read_unchecked(void **data, size_t *size, git_object_t *type, git_odb *database, const git_oid *id);

// Frees what settings_read_unchecked gave.
void settings_free_unchecked(void *data);

// Reads the object in a stream that has been started; `data` is to be freed whatever comes back.
int settings_loose_inflate(void **data, size_t *size, git_object_t *type, git_odb_backend *backend, z_stream *stream);

#endif
