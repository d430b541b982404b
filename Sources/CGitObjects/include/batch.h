#ifndef SETTINGS_CGITOBJECTS_BATCH_H
#define SETTINGS_CGITOBJECTS_BATCH_H

#include "../../CGit2/shim.h"
#include "disk.h"

#include <git2/sys/odb_backend.h>
#include <stdint.h>

// Where an object lies on the disk.
typedef enum {
  SETTINGS_PLACE_NONE = 0,
  // In a file of its own, which was there already or was written.
  SETTINGS_PLACE_LOOSE,
  // In a pack that was written from the batch.
  SETTINGS_PLACE_PACK,
} settings_place;

typedef struct {
  git_oid id;
  git_object_t type;
  size_t size;
  void *data;
  settings_place place;
} settings_object;

typedef struct {
  git_odb_backend parent;
  // Whether it takes what libgit2 writes; while it does not, the store of loose objects does.
  int collects;
  // core.sharedRepository, see settings_shared_mode.
  int shared;
  // The folder of objects.
  char *folder;
  settings_object *objects;
  size_t count, room;
  // Places of objects + 1 by their ids' first bytes, the next free one where that is taken; a power of two of them.
  uint32_t *slots;
  size_t slot_count;
} settings_batch;

// The batch belongs to the database.
int settings_batch_add(settings_batch **out, git_odb *database, int priority);

// Says where objects are written to. Comes before everything else.
int settings_batch_locate(settings_batch *batch, const char *folder);

// While it does not collect it has no function to write with: libgit2 would ask it again where the store of loose objects
// has failed, and take its refusal for the reason.
void settings_batch_collect(settings_batch *batch, int collects);

// As git_odb_write; while the batch collects, what lies in a file of its own already is used and freshened, as git does it,
// and everything else is collected. What only a pack has is written once more: `git repack -a -d` removes a pack that no
// reference leads to, however fresh it is.
int settings_batch_write_object(
    git_oid *id, settings_batch *batch, git_odb *database, const void *data, size_t size, git_object_t type);

void settings_batch_clear(settings_batch *batch);

// How many objects are written as git does it, each as a file of its own; more become a pack.
enum { settings_batch_loose_limit = 64 };

// How many are not on the disk.
size_t settings_batch_unwritten(const settings_batch *batch);

// Looks which are not there any more: those are unwritten again. `has_packs`: whether the packs that were written are there.
void settings_batch_look(settings_batch *batch, int has_packs);

// Writes those that are not on the disk as loose objects. All stay in the batch.
int settings_batch_write_loose(settings_batch *batch, settings_sync sync);

// Writes them as one pack, `name` with `.pack` and `.idx` in the folder of packs. All stay in the batch.
int settings_batch_write_pack(settings_batch *batch, const char *name, settings_sync sync);

#endif
