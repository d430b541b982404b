#ifndef SETTINGS_CGITOBJECTS_LOOSE_H
#define SETTINGS_CGITOBJECTS_LOOSE_H

#include "../../CGit2/shim.h"

#include <git2/sys/odb_backend.h>
#include <zlib.h>

// Adds a reader of the loose objects in `folder` to a database.
int settings_loose_add(git_odb *database, const char *folder, int priority);

// Reads the object in a stream that has been started; `data` is to be freed whatever comes back.
int settings_loose_inflate(void **data, size_t *size, git_object_t *type, git_odb_backend *backend, z_stream *stream);

#endif
