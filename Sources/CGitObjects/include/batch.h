#ifndef SETTINGS_CGITOBJECTS_BATCH_H
#define SETTINGS_CGITOBJECTS_BATCH_H

#include "../../CGit2/shim.h"
#include "disk.h"

#include <git2/sys/odb_backend.h>
#include <stdint.h>

typedef struct {
  git_oid id;
  git_object_t type;
  size_t size;
  void *data;
} settings_object;

typedef struct {
  git_odb_backend parent;
  // Whether it takes what libgit2 writes; while it does not, the store of loose objects does.
  int collects;
  // core.sharedRepository, see settings_shared_mode.
  int shared;
  settings_object *objects;
  size_t count, room;
  // Places of objects + 1 by their ids' first bytes, the next free one where that is taken; a power of two of them.
  uint32_t *slots;
  size_t slot_count;
} settings_batch;

// The batch belongs to the database.
int settings_batch_add(settings_batch **out, git_odb *database, int priority);

// While it does not collect it has no function to write with: libgit2 would ask it again where the store of loose objects
// has failed, and take its refusal for the reason.
void settings_batch_collect(settings_batch *batch, int collects);

// As git_odb_write, but without reading the folder of packs again for each object: what another process has just packed
// is then written once more, which does no harm.
int settings_batch_write_object(
    git_oid *id, settings_batch *batch, git_odb *database, const void *data, size_t size, git_object_t type);

void settings_batch_clear(settings_batch *batch);

// How many objects are written as git does it, each as a file of its own; more become a pack.
enum { settings_batch_loose_limit = 64 };

// All as loose objects below `path`. Where that fails they stay in the batch.
int settings_batch_write_loose(settings_batch *batch, const char *path, settings_sync sync);

// All as one pack in `folder`. Where that fails they stay in the batch.
int settings_batch_write_pack(settings_batch *batch, const char *folder, settings_sync sync);

#endif
