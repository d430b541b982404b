// Writes a batch as one pack with its index, as `Documentation/gitformat-pack.txt` has them: version 2 of both, no deltas.
// 10,000 small files are written in 60 ms; 10,000 loose objects, each synced, take 13 s.
//
// libgit2 1.5's indexer writes through a mapping: a full disk kills the process there, with SIGBUS, where a write would fail
// (pull request 6039 makes it write instead, in a later version). And a process that is killed leaves its files under names
// that `git gc` doesn't know (all versions; not reported).
#include "sha1.h"
#include "writing.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

// Where an object stands in the pack.
typedef struct {
  const git_oid *id;
  uint64_t offset;
  uint32_t sum;
} settings_pack_entry;

typedef struct {
  int file;
  settings_sha1 sha;
  z_stream zlib;
  settings_pack_entry *entries;
  // Written already.
  uint64_t size;
  // Of `bytes`: how many there are, and where the object begins that is being added.
  size_t count, start;
  uint32_t sum;
  unsigned char bytes[1 << 16];
} settings_pack;

static void settings_put_32(unsigned char *bytes, uint32_t number) {
  for (int i = 0; i < 4; i++) bytes[i] = (unsigned char)(number >> (24 - 8 * i));
}

static int settings_pack_flush(settings_pack *pack) {
  settings_sha1_add(&pack->sha, pack->bytes, pack->count);
  pack->sum = (uint32_t)crc32(pack->sum, pack->bytes + pack->start, (uInt)(pack->count - pack->start));
  if (settings_write_all(pack->file, pack->bytes, pack->count) != 0) return -1;
  pack->size += pack->count;
  pack->count = pack->start = 0;
  return 0;
}

static int settings_pack_add(settings_pack *pack, const settings_object *object, settings_pack_entry *entry) {
  if (pack->count + 16 > sizeof pack->bytes && settings_pack_flush(pack) != 0) return -1;
  *entry = (settings_pack_entry){&object->id, pack->size + pack->count, 0};
  pack->start = pack->count;
  pack->sum = 0;
  // The size in groups of 4, then 7 bits, the lowest first; the type beside the first.
  size_t size = object->size >> 4;
  unsigned char byte = (unsigned char)(object->type << 4 | (object->size & 15));
  for (; size != 0; size >>= 7) {
    pack->bytes[pack->count++] = byte | 0x80;
    byte = size & 0x7F;
  }
  pack->bytes[pack->count++] = byte;
  errno = EFBIG;
  if (object->size > UINT_MAX || deflateReset(&pack->zlib) != Z_OK) return -1;
  pack->zlib.next_in = (unsigned char *)object->data;
  pack->zlib.avail_in = (uInt)object->size;
  while (1) {
    pack->zlib.next_out = pack->bytes + pack->count;
    pack->zlib.avail_out = (uInt)(sizeof pack->bytes - pack->count);
    int result = deflate(&pack->zlib, Z_FINISH);
    pack->count = sizeof pack->bytes - pack->zlib.avail_out;
    if (result == Z_STREAM_END) break;
    if ((result != Z_OK && result != Z_BUF_ERROR) || settings_pack_flush(pack) != 0) return -1;
  }
  entry->sum = (uint32_t)crc32(pack->sum, pack->bytes + pack->start, (uInt)(pack->count - pack->start));
  return 0;
}

// Everything but the end; that is `hash`, 20 bytes. `count`: how many are not on the disk.
static int settings_pack_fill(settings_pack *pack, const settings_batch *batch, size_t count, unsigned char *hash) {
  memcpy(pack->bytes, "PACK", 4);
  settings_put_32(pack->bytes + 4, 2);
  settings_put_32(pack->bytes + 8, (uint32_t)count);
  pack->count = 12;
  settings_sha1_begin(&pack->sha);
  for (size_t i = 0, added = 0; i < batch->count; i++) {
    if (batch->objects[i].place != SETTINGS_PLACE_NONE) continue;
    if (settings_pack_add(pack, &batch->objects[i], &pack->entries[added++]) != 0) return -1;
  }
  if (settings_pack_flush(pack) != 0) return -1;
  settings_sha1_end(&pack->sha, hash);
  return settings_write_all(pack->file, hash, 20);
}

static int settings_pack_order(const void *one, const void *other) {
  return memcmp(((const settings_pack_entry *)one)->id, ((const settings_pack_entry *)other)->id, GIT_OID_RAWSZ);
}

// The index: how many ids begin with each byte or a lower one, the ids, the sums, the offsets (those that need more than 31
// bits in a table of their own), the pack's hash and its own.
static int settings_pack_write_index(int file, settings_pack_entry *entries, size_t count, const unsigned char *hash) {
  qsort(entries, count, sizeof *entries, settings_pack_order);
  unsigned char *bytes = (unsigned char *)calloc(1, 8 + 4 * 256 + count * 36 + 40);
  if (bytes == NULL) return -1;
  memcpy(bytes, "\377tOc", 4);
  settings_put_32(bytes + 4, 2);
  unsigned char *place = bytes + 8;
  for (size_t byte = 0, below = 0; byte < 256; byte++, place += 4) {
    while (below < count && entries[below].id->id[0] <= byte) below++;
    settings_put_32(place, (uint32_t)below);
  }
  for (size_t i = 0; i < count; i++, place += 20) memcpy(place, entries[i].id->id, 20);
  for (size_t i = 0; i < count; i++, place += 4) settings_put_32(place, entries[i].sum);
  unsigned char *far = place + 4 * count;
  const unsigned char *first_far = far;
  for (size_t i = 0; i < count; i++, place += 4) {
    if (entries[i].offset >> 31 == 0) {
      settings_put_32(place, (uint32_t)entries[i].offset);
      continue;
    }
    settings_put_32(place, 0x80000000 | (uint32_t)((far - first_far) / 8));
    settings_put_32(far, (uint32_t)(entries[i].offset >> 32));
    settings_put_32(far + 4, (uint32_t)entries[i].offset);
    far += 8;
  }
  memcpy(far, hash, 20);
  settings_sha1 sha;
  settings_sha1_begin(&sha);
  settings_sha1_add(&sha, bytes, (size_t)(far + 20 - bytes));
  settings_sha1_end(&sha, far + 20);
  int code = settings_write_all(file, bytes, (size_t)(far + 40 - bytes));
  free(bytes);
  return code;
}

// A file of a name that `git gc` removes where a dead process left it: it begins with tmp_.
static int settings_pack_create(int folder, char *name, int shared) {
  int file = settings_create_temporary(folder, name, 0444);
  if (file >= 0) settings_share(file, shared);
  return file;
}

// Both get their names once both are there, in git's order: what is a pack to git is one that has an index, and an index
// without a pack is removed by `git gc`.
static int settings_pack_place(const int *files, char names[2][40], int folder, const char *name) {
  char pack[NAME_MAX + 1], index[NAME_MAX + 1];
  snprintf(pack, sizeof pack, "%s.pack", name);
  snprintf(index, sizeof index, "%s.idx", name);
  if (settings_rename_file(files[0], folder, names[0], pack) != 0) return -1;
  if (settings_rename_file(files[1], folder, names[1], index) == 0) return 0;
  int reason = errno;
  unlinkat(folder, pack, 0);
  errno = reason;
  return -1;
}

static int settings_pack_try(settings_pack *pack, const settings_batch *batch, int folder, const char *name, settings_sync sync) {
  char names[2][40] = {"tmp_pack_settings_XXXXXXXXXXXXXXXX", "tmp_idx_settings_XXXXXXXXXXXXXXXX"};
  int files[2] = {-1, -1};
  unsigned char hash[20];
  size_t count = settings_batch_unwritten(batch);
  int code = 0;
  for (int i = 0; i < 2 && code == 0; i++) {
    files[i] = settings_pack_create(folder, names[i], batch->shared);
    if (files[i] < 0) code = -1;
  }
  if (code == 0) {
    pack->file = files[0];
    pack->size = 0;
    code = settings_pack_fill(pack, batch, count, hash);
  }
  if (code == 0) code = settings_pack_write_index(files[1], pack->entries, count, hash);
  for (int i = 0; i < 2 && code == 0; i++) code = settings_sync_file(files[i], sync);
  if (code == 0) code = settings_pack_place(files, names, folder, name);
  int reason = errno;
  for (int i = 0; i < 2; i++) {
    if (files[i] < 0) continue;
    close(files[i]);
    // Where they have their names these are gone.
    if (code != 0) unlinkat(folder, names[i], 0);
  }
  errno = reason;
  return code;
}

static int settings_pack_write(const settings_batch *batch, int folder, const char *name, settings_sync sync) {
  settings_pack *pack = (settings_pack *)calloc(1, sizeof *pack);
  if (pack == NULL) return -1;
  pack->entries = (settings_pack_entry *)malloc((batch->count + 1) * sizeof *pack->entries);
  // Less memory than usual to clear for each object: a third off the time that small ones take.
  int code = deflateInit2(&pack->zlib, 1, Z_DEFLATED, MAX_WBITS, 5, Z_DEFAULT_STRATEGY) == Z_OK ? 0 : -1;
  if (pack->entries == NULL) code = -1;
  for (int attempt = 0; code == 0; attempt++) {
    code = settings_pack_try(pack, batch, folder, name, sync);
    if (code == 0 || attempt == settings_writing_attempts || !settings_is_taken_away()) break;
    code = 0;
  }
  int reason = errno;
  deflateEnd(&pack->zlib);
  free(pack->entries);
  free(pack);
  errno = reason;
  return code;
}

int settings_batch_write_pack(settings_batch *batch, const char *name, settings_sync sync) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/pack", batch->folder);
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return settings_writing_failed("open", path);
  int code = settings_pack_write(batch, folder, name, sync);
  if (code == 0 && sync == SETTINGS_SYNC_FULL) code = settings_sync_folder(path);
  if (code != 0) code = settings_writing_failed("write a pack in", path);
  close(folder);
  for (size_t i = 0; i < batch->count && code == 0; i++) {
    if (batch->objects[i].place == SETTINGS_PLACE_NONE) batch->objects[i].place = SETTINGS_PLACE_PACK;
  }
  return code;
}
