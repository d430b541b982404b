// Writes a batch as loose objects: all of them first, then all are synced, then all get their names.
//
// libgit2 (all versions) waits for the disk at each object and each folder, and reads the folder of packs again between them.
// Not reported.
#include "writing.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

int settings_writing_failed(const char *what, const char *path) {
  // The reason at the end is read, so a long path may not cut it off.
  char message[PATH_MAX + 256];
  int reason = errno;
  snprintf(message, sizeof message, "failed to %s %s: %s", what, path, strerror(reason));
  git_error_set_str(GIT_ERROR_OS, message);
  errno = reason;
  return -1;
}

// The same of a file below the folder of objects.
static int settings_loose_failed(const char *what, const char *folder, const char *name) {
  char path[PATH_MAX + 64];
  int reason = errno;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  errno = reason;
  return settings_writing_failed(what, path);
}

typedef struct {
  // Below the folder of objects: `ab/tmp_obj_…`, which `git gc` removes where a dead process left it.
  char temporary[64];
  char name[GIT_OID_HEXSZ + 2];
  int file;
} settings_loose_file;

// Up to here an object's file takes one block of the disk whether it is compressed or not, and building a code for so few
// bytes took a tenth of a Done. What stays is compressed when it is packed.
enum { settings_loose_plain_limit = 3800 };

// The object as its file has it: a header and the content, compressed. To be freed.
static unsigned char *settings_loose_bytes(const settings_object *object, size_t *count) {
  char header[32];
  int length = snprintf(header, sizeof header, "%s %zu", git_object_type2string(object->type), object->size) + 1;
  if (object->size > UINT_MAX / 2) return NULL;
  z_stream stream = {0};
  int plain = object->size <= settings_loose_plain_limit;
  // Of a window and tables no larger than it needs.
  int begun = plain ? deflateInit2(&stream, 0, Z_DEFLATED, 12, 4, Z_DEFAULT_STRATEGY) : deflateInit(&stream, 1);
  if (begun != Z_OK) return NULL;
  size_t room = deflateBound(&stream, (uLong)(object->size + (size_t)length));
  unsigned char *bytes = (unsigned char *)malloc(room);
  if (bytes != NULL) {
    stream.next_out = bytes;
    stream.avail_out = (uInt)room;
    stream.next_in = (unsigned char *)header;
    stream.avail_in = (uInt)length;
    int result = deflate(&stream, Z_NO_FLUSH);
    stream.next_in = (unsigned char *)object->data;
    stream.avail_in = (uInt)object->size;
    if (result == Z_OK) result = deflate(&stream, Z_FINISH);
    *count = stream.total_out;
    if (result != Z_STREAM_END) {
      free(bytes);
      bytes = NULL;
    }
  }
  deflateEnd(&stream);
  return bytes;
}

static int settings_loose_create(
    settings_loose_file *loose, const settings_object *object, int folder, const settings_batch *batch, settings_sync sync) {
  git_oid_pathfmt(loose->name, &object->id);
  loose->name[GIT_OID_HEXSZ + 1] = 0;
  char place[3] = {loose->name[0], loose->name[1], 0};
  size_t count;
  unsigned char *bytes = settings_loose_bytes(object, &count);
  if (bytes == NULL) {
    git_error_set_oom();
    errno = ENOMEM;
    return -1;
  }
  int code = -1;
  // A `git gc` beside us removes folders that are empty.
  for (int attempt = 0; attempt < 20 && loose->file < 0; attempt++) {
    snprintf(loose->temporary, sizeof loose->temporary, "%s/tmp_obj_XXXXXXXXXXXXXXXX", place);
    loose->file = settings_create_temporary(folder, loose->temporary, 0444);
    if (loose->file >= 0 || errno != ENOENT) break;
    if (mkdirat(folder, place, 0777) == 0) settings_share_at(folder, place, batch->shared);
    else if (errno != EEXIST) break;
  }
  if (loose->file >= 0) settings_share(loose->file, batch->shared);
  if (loose->file >= 0) code = settings_write_all(loose->file, bytes, count);
  if (code == 0) settings_sync_begin(loose->file, sync);
  if (code != 0) code = settings_loose_failed("write", batch->folder, loose->name);
  int reason = errno;
  free(bytes);
  errno = reason;
  return code;
}

static int settings_loose_place(
    settings_loose_file *files, size_t count, int folder, const char *path, settings_sync sync) {
  for (size_t i = 0; i < count; i++) {
    if (settings_sync_file(files[i].file, sync) != 0) return settings_loose_failed("sync", path, files[i].name);
  }
  for (size_t i = 0; i < count; i++) {
    if (settings_rename_file(files[i].file, folder, files[i].temporary, files[i].name) != 0) {
      return settings_loose_failed("write", path, files[i].name);
    }
    files[i].temporary[0] = 0;
  }
  if (sync != SETTINGS_SYNC_FULL) return 0;
  for (size_t i = 0; i < count; i++) {
    size_t same = 0;
    while (memcmp(files[same].name, files[i].name, 2) != 0) same++;
    if (same < i) continue;
    char place[PATH_MAX];
    snprintf(place, sizeof place, "%s/%.2s", path, files[i].name);
    if (settings_sync_folder(place) != 0) return settings_writing_failed("sync", place);
  }
  return settings_sync_folder(path) == 0 ? 0 : settings_writing_failed("sync", path);
}

static int settings_loose_try(
    settings_object *const *objects, size_t count, int folder, const settings_batch *batch, settings_sync sync) {
  settings_loose_file files[settings_batch_loose_limit];
  for (size_t i = 0; i < count; i++) files[i].file = -1, files[i].temporary[0] = 0;
  int code = 0;
  for (size_t i = 0; i < count && code == 0; i++) {
    code = settings_loose_create(&files[i], objects[i], folder, batch, sync);
  }
  if (code == 0) code = settings_loose_place(files, count, folder, batch->folder, sync);
  int reason = errno;
  for (size_t i = 0; i < count; i++) {
    if (files[i].file >= 0) close(files[i].file);
    if (files[i].temporary[0] != 0) unlinkat(folder, files[i].temporary, 0);
  }
  errno = reason;
  return code;
}

int settings_is_taken_away(void) { return errno == ENOENT || errno == ESTALE; }

static int settings_loose_write(
    settings_object *const *objects, size_t count, int folder, const settings_batch *batch, settings_sync sync) {
  int code = -1;
  for (int attempt = 0; code != 0 && attempt < settings_writing_attempts; attempt++) {
    code = settings_loose_try(objects, count, folder, batch, sync);
    if (code != 0 && !settings_is_taken_away()) break;
  }
  for (size_t i = 0; i < count && code == 0; i++) objects[i]->place = SETTINGS_PLACE_LOOSE;
  return code;
}

int settings_batch_write_loose(settings_batch *batch, settings_sync sync) {
  int folder = open(batch->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return settings_writing_failed("open", batch->folder);
  settings_object *objects[settings_batch_loose_limit];
  size_t count = 0;
  int code = 0;
  for (size_t i = 0; i < batch->count && code == 0; i++) {
    if (batch->objects[i].place == SETTINGS_PLACE_NONE) objects[count++] = &batch->objects[i];
    if (count == settings_batch_loose_limit || (i + 1 == batch->count && count > 0)) {
      code = settings_loose_write(objects, count, folder, batch, sync);
      count = 0;
    }
  }
  close(folder);
  return code;
}
