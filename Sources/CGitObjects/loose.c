// Reads loose objects in libgit2's place. Added to a repository's database between the packs and libgit2's own reader.
//
// libgit2 up to 1.9 never returns from a file that ends too early: it asks zlib for the rest for ever (issue 7342, fixed after
// 1.9 by pull request 7346). And it writes beyond an object that is longer than its header says (issue 7177, open).
#include "loose.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Of a version, a folder or a tag: a folder of a million files has 40 MB.
#define SETTINGS_LARGEST_HEADER ((size_t)64 << 20)

typedef struct {
  git_odb_backend parent;
  char *folder;
} settings_loose;

static int settings_loose_corrupt(const git_oid *id) {
  char message[GIT_OID_HEXSZ + 32] = "corrupt loose object ";
  git_oid_tostr(message + strlen(message), GIT_OID_HEXSZ + 1, id);
  git_error_set_str(GIT_ERROR_ODB, message);
  return -1;
}

static int settings_loose_refused(const git_oid *id, int code) {
  char message[GIT_OID_HEXSZ + 256] = "cannot read loose object ";
  git_oid_tostr(message + strlen(message), GIT_OID_HEXSZ + 1, id);
  strcat(message, ": ");
  strncat(message, strerror(code), 128);
  git_error_set_str(GIT_ERROR_OS, message);
  return -1;
}

// Opens the file without waiting for a pipe; negative: what to return. What cannot be opened is not missing.
static int settings_loose_open(const settings_loose *loose, const git_oid *id) {
  char path[4096];
  char name[GIT_OID_HEXSZ + 2];
  git_oid_pathfmt(name, id);
  name[GIT_OID_HEXSZ + 1] = 0;
  if (snprintf(path, sizeof path, "%s/%s", loose->folder, name) >= (int)sizeof path) return GIT_PASSTHROUGH;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file >= 0) return file;
  return errno == ENOENT || errno == ENOTDIR ? GIT_ENOTFOUND : settings_loose_refused(id, errno);
}

// The file's bytes.
static int settings_loose_load(
    unsigned char **bytes, size_t *size, const settings_loose *loose, const git_oid *id) {
  int file = settings_loose_open(loose, id);
  if (file < 0) return file;
  struct stat status;
  size_t count = 0;
  *bytes = NULL;
  int refused = fstat(file, &status) == 0 ? 0 : errno;
  if (!refused && S_ISREG(status.st_mode)) *bytes = (unsigned char *)malloc((size_t)status.st_size + 1);
  if (*bytes != NULL) {
    while (count < (size_t)status.st_size) {
      ssize_t more = read(file, *bytes + count, (size_t)status.st_size - count);
      if (more < 0 && errno == EINTR) continue;
      if (more < 0) refused = errno;
      if (more <= 0) break;
      count += (size_t)more;
    }
  }
  close(file);
  if (refused) {
    free(*bytes);
    return settings_loose_refused(id, refused);
  }
  if (*bytes == NULL) return settings_loose_corrupt(id);
  *size = count;
  return 0;
}

// "blob 12\0", the beginning of what is in a loose object; the header's length, or 0.
static size_t settings_loose_header(const unsigned char *head, size_t count, git_object_t *type, size_t *size) {
  const unsigned char *end = (const unsigned char *)memchr(head, 0, count);
  const unsigned char *space = (const unsigned char *)memchr(head, ' ', count);
  if (end == NULL || space == NULL || space >= end || end - space > 19 || end - space < 2) return 0;
  char name[16] = "";
  if (space - head >= (long)sizeof name) return 0;
  memcpy(name, head, (size_t)(space - head));
  *type = git_object_string2type(name);
  *size = 0;
  for (const unsigned char *digit = space + 1; digit < end; digit++) {
    if (*digit < '0' || *digit > '9') return 0;
    *size = *size * 10 + (size_t)(*digit - '0');
  }
  return git_object_typeisloose(*type) ? (size_t)(end - head) + 1 : 0;
}

int settings_loose_inflate(
    void **data, size_t *size, git_object_t *type, git_odb_backend *backend, z_stream *stream) {
  unsigned char head[64];
  size_t packed = stream->avail_in;
  stream->next_out = head;
  stream->avail_out = sizeof head;
  int result = inflate(stream, Z_NO_FLUSH);
  if (result != Z_OK && result != Z_STREAM_END) return -1;
  size_t have = sizeof head - stream->avail_out;
  size_t start = settings_loose_header(head, have, type, size);
  // A file of 100 KB may say that it is a version of 100 MB, and hold it; files are asked for their size first.
  if (*type != GIT_OBJECT_BLOB && *size > SETTINGS_LARGEST_HEADER) return -1;
  // zlib makes nothing more than 1,032 times smaller: a header that says so lies.
  if (start == 0 || have - start > *size || *size / 1040 > packed || *size >= UINT_MAX) return -1;
  // One byte more than the object, as libgit2's parsers expect: it stays 0.
  unsigned char *body = (unsigned char *)git_odb_backend_data_alloc(backend, *size + 1);
  if (body == NULL) return -1;
  memcpy(body, head + start, have - start);
  body[*size] = 0;
  stream->next_out = body + (have - start);
  // Room for the byte that must not come: so that zlib sees the end of its stream.
  stream->avail_out = (uInt)(*size - (have - start)) + 1;
  while (result == Z_OK) result = inflate(stream, Z_NO_FLUSH);
  body[*size] = 0;
  *data = body;
  return result == Z_STREAM_END && stream->total_out == start + *size && stream->avail_in == 0 ? 0 : -1;
}

static int settings_loose_read(
    void **data, size_t *size, git_object_t *type, git_odb_backend *backend, const git_oid *id) {
  unsigned char *bytes;
  size_t count;
  int code = settings_loose_load(&bytes, &count, (settings_loose *)backend, id);
  if (code != 0) return code;
  z_stream stream = {0};
  stream.next_in = bytes;
  stream.avail_in = (uInt)count;
  *data = NULL;
  if (count >= UINT_MAX || inflateInit(&stream) != Z_OK) {
    free(bytes);
    return settings_loose_corrupt(id);
  }
  code = settings_loose_inflate(data, size, type, backend, &stream);
  inflateEnd(&stream);
  free(bytes);
  if (code == 0) return 0;
  git_odb_backend_data_free(backend, *data);
  return settings_loose_corrupt(id);
}

// What it is and how large, from its first bytes.
static int settings_loose_read_header(size_t *size, git_object_t *type, git_odb_backend *backend, const git_oid *id) {
  int file = settings_loose_open((settings_loose *)backend, id);
  if (file < 0) return file;
  struct stat status;
  unsigned char bytes[256], head[64];
  size_t count = 0;
  int refused = fstat(file, &status) == 0 ? 0 : errno;
  while (!refused && S_ISREG(status.st_mode) && count < sizeof bytes) {
    ssize_t more = read(file, bytes + count, sizeof bytes - count);
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) refused = errno;
    if (more <= 0) break;
    count += (size_t)more;
  }
  close(file);
  if (refused) return settings_loose_refused(id, refused);
  z_stream stream = {0};
  stream.next_in = bytes;
  stream.avail_in = (uInt)count;
  stream.next_out = head;
  stream.avail_out = sizeof head;
  if (count == 0 || inflateInit(&stream) != Z_OK) return settings_loose_corrupt(id);
  inflate(&stream, Z_SYNC_FLUSH);
  size_t length = settings_loose_header(head, sizeof head - stream.avail_out, type, size);
  inflateEnd(&stream);
  return length > 0 ? 0 : settings_loose_corrupt(id);
}

static void settings_loose_free(git_odb_backend *backend) {
  free(((settings_loose *)backend)->folder);
  free(backend);
}

int settings_loose_add(git_odb *database, const char *folder, int priority) {
  settings_loose *loose = (settings_loose *)calloc(1, sizeof *loose);
  if (loose == NULL) return -1;
  if (git_odb_init_backend(&loose->parent, GIT_ODB_BACKEND_VERSION) != 0 || (loose->folder = strdup(folder)) == NULL) {
    free(loose);
    return -1;
  }
  loose->parent.read = settings_loose_read;
  loose->parent.read_header = settings_loose_read_header;
  loose->parent.free = settings_loose_free;
  int code = git_odb_add_backend(database, &loose->parent, priority);
  if (code != 0) settings_loose_free(&loose->parent);
  return code;
}

int settings_read_unchecked(void **data, size_t *size, git_object_t *type, git_odb *database, const git_oid *id) {
  size_t count = git_odb_num_backends(database);
  for (size_t place = 0; place < count; place++) {
    git_odb_backend *backend = NULL;
    if (git_odb_get_backend(&backend, database, place) < 0 || !backend->read) continue;
    int code = backend->read(data, size, type, backend, id);
    if (code != GIT_ENOTFOUND && code != GIT_PASSTHROUGH) return code;
  }
  return GIT_ENOTFOUND;
}

void settings_free_unchecked(void *data) { git_odb_backend_data_free(NULL, data); }
