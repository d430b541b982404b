// Objects that are kept in memory until all of a version's are there and can be written together: as one pack where they
// are many. They stay in memory until a reference leads to them, so that what `git gc` or a colleague's script has removed
// until then can be written again.
// It is the first of a repository's object stores: libgit2 finds in it what is not on the disk yet.
//
// libgit2 (all versions) lets look-ups alone leave out reading the folder of packs again (pull request 6107), git_odb_write
// does it for each object. Not reported.
#include "batch.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static size_t settings_batch_slot(const settings_batch *batch, const git_oid *id) {
  uint32_t start;
  memcpy(&start, id->id, sizeof start);
  size_t slot = start & (batch->slot_count - 1);
  while (batch->slots[slot] != 0 && memcmp(batch->objects[batch->slots[slot] - 1].id.id, id->id, GIT_OID_RAWSZ) != 0) {
    slot = (slot + 1) & (batch->slot_count - 1);
  }
  return slot;
}

// Nil where it is not there.
static const settings_object *settings_batch_find(const settings_batch *batch, const git_oid *id) {
  if (batch->count == 0) return NULL;
  uint32_t place = batch->slots[settings_batch_slot(batch, id)];
  return place == 0 ? NULL : &batch->objects[place - 1];
}

static int settings_batch_grow(settings_batch *batch) {
  if (batch->count < batch->room) return 0;
  size_t room = batch->room == 0 ? 64 : batch->room * 2;
  if (room > UINT32_MAX / 4) return -1;
  settings_object *objects = (settings_object *)realloc(batch->objects, room * sizeof *objects);
  if (objects == NULL) return -1;
  batch->objects = objects;
  uint32_t *slots = (uint32_t *)calloc(room * 2, sizeof *slots);
  if (slots == NULL) return -1;
  free(batch->slots);
  batch->slots = slots;
  batch->slot_count = room * 2;
  batch->room = room;
  for (size_t i = 0; i < batch->count; i++) slots[settings_batch_slot(batch, &objects[i].id)] = (uint32_t)i + 1;
  return 0;
}

static int settings_batch_put(
    settings_batch *batch, const git_oid *id, const void *data, size_t size, git_object_t type, settings_place place) {
  if (settings_batch_find(batch, id) != NULL) return 0;
  settings_object object = {*id, type, size, malloc(size + 1), place};
  if (object.data == NULL || settings_batch_grow(batch) != 0) {
    free(object.data);
    git_error_set_oom();
    return -1;
  }
  if (size > 0) memcpy(object.data, data, size);
  size_t slot = settings_batch_slot(batch, id);
  batch->objects[batch->count++] = object;
  batch->slots[slot] = (uint32_t)batch->count;
  return 0;
}

void settings_batch_clear(settings_batch *batch) {
  for (size_t i = 0; i < batch->count; i++) free(batch->objects[i].data);
  free(batch->objects);
  free(batch->slots);
  batch->objects = NULL;
  batch->slots = NULL;
  batch->count = batch->room = batch->slot_count = 0;
}

static int settings_batch_read(
    void **data, size_t *size, git_object_t *type, git_odb_backend *backend, const git_oid *id) {
  const settings_object *object = settings_batch_find((settings_batch *)backend, id);
  if (object == NULL) return GIT_ENOTFOUND;
  // One byte more, as libgit2's parsers expect.
  char *copy = (char *)git_odb_backend_data_alloc(backend, object->size + 1);
  if (copy == NULL) return -1;
  memcpy(copy, object->data, object->size);
  copy[object->size] = 0;
  *data = copy;
  *size = object->size;
  *type = object->type;
  return 0;
}

static int settings_batch_read_header(
    size_t *size, git_object_t *type, git_odb_backend *backend, const git_oid *id) {
  const settings_object *object = settings_batch_find((settings_batch *)backend, id);
  if (object == NULL) return GIT_ENOTFOUND;
  *size = object->size;
  *type = object->type;
  return 0;
}

static int settings_batch_exists(git_odb_backend *backend, const git_oid *id) {
  return settings_batch_find((settings_batch *)backend, id) != NULL;
}

// "Exists" is what libgit2 does not write again.
static int settings_batch_freshen(git_odb_backend *backend, const git_oid *id) {
  settings_batch *batch = (settings_batch *)backend;
  return batch->collects && settings_batch_find(batch, id) != NULL ? 0 : GIT_ENOTFOUND;
}

static int settings_batch_write(
    git_odb_backend *backend, const git_oid *id, const void *data, size_t size, git_object_t type) {
  return settings_batch_put((settings_batch *)backend, id, data, size, type, SETTINGS_PLACE_NONE);
}

void settings_batch_collect(settings_batch *batch, int collects) {
  batch->collects = collects;
  batch->parent.write = collects ? settings_batch_write : NULL;
}

// Where an object has its file, below the folder of objects and with it.
static void settings_batch_path(const settings_batch *batch, const git_oid *id, char path[PATH_MAX]) {
  char name[GIT_OID_HEXSZ + 2];
  git_oid_pathfmt(name, id);
  name[GIT_OID_HEXSZ + 1] = 0;
  snprintf(path, PATH_MAX, "%s/%s", batch->folder, name);
}

// Whether it has a file of its own, which is as young as a new one from here on: no `git gc` takes it away. One that may not
// be freshened is written in its place, as git does it.
static int settings_batch_freshen_loose(const settings_batch *batch, const git_oid *id) {
  char path[PATH_MAX];
  settings_batch_path(batch, id, path);
  return utimensat(AT_FDCWD, path, NULL, 0) == 0;
}

size_t settings_batch_unwritten(const settings_batch *batch) {
  size_t count = 0;
  for (size_t i = 0; i < batch->count; i++) count += batch->objects[i].place == SETTINGS_PLACE_NONE;
  return count;
}

void settings_batch_look(settings_batch *batch, int has_packs) {
  for (size_t i = 0; i < batch->count; i++) {
    settings_object *object = &batch->objects[i];
    char path[PATH_MAX];
    settings_batch_path(batch, &object->id, path);
    int is_there = object->place == SETTINGS_PLACE_PACK ? has_packs : faccessat(AT_FDCWD, path, F_OK, 0) == 0;
    if (!is_there) object->place = SETTINGS_PLACE_NONE;
  }
}

static void settings_batch_free(git_odb_backend *backend) {
  settings_batch_clear((settings_batch *)backend);
  free(((settings_batch *)backend)->folder);
  free(backend);
}

int settings_batch_add(settings_batch **out, git_odb *database, int priority) {
  settings_batch *batch = (settings_batch *)calloc(1, sizeof *batch);
  if (batch == NULL) return -1;
  int code = git_odb_init_backend(&batch->parent, GIT_ODB_BACKEND_VERSION);
  batch->parent.read = settings_batch_read;
  batch->parent.read_header = settings_batch_read_header;
  batch->parent.exists = settings_batch_exists;
  batch->parent.freshen = settings_batch_freshen;
  batch->parent.free = settings_batch_free;
  if (code == 0) code = git_odb_add_backend(database, &batch->parent, priority);
  if (code != 0) free(batch);
  *out = code == 0 ? batch : NULL;
  return code;
}

int settings_batch_locate(settings_batch *batch, const char *folder) {
  batch->folder = strdup(folder);
  if (batch->folder != NULL) return 0;
  git_error_set_oom();
  return -1;
}

int settings_batch_write_object(
    git_oid *id, settings_batch *batch, git_odb *database, const void *data, size_t size, git_object_t type) {
  if (!batch->collects) return git_odb_write(id, database, data, size, type);
  int code = git_odb_hash(id, data, size, type);
  if (code != 0) return code;
  if (settings_batch_find(batch, id) != NULL) return 0;
  settings_place place = settings_batch_freshen_loose(batch, id) ? SETTINGS_PLACE_LOOSE : SETTINGS_PLACE_NONE;
  return settings_batch_put(batch, id, data, size, type, place);
}
