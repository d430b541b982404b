#include "sha1.h"

void settings_sha1_begin(settings_sha1 *sha) { SHA1_Init(sha); }

void settings_sha1_add(settings_sha1 *sha, const void *bytes, size_t count) { SHA1_Update(sha, bytes, count); }

void settings_sha1_end(settings_sha1 *sha, unsigned char *hash) { SHA1_Final(hash, sha); }

void settings_sha256(const void *bytes, size_t count, unsigned char *hash) {
  // Not SHA256(): that one looks its provider up, and with it comes all of libcrypto, 3 MB of a static program.
  SHA256_CTX sha;
  SHA256_Init(&sha);
  SHA256_Update(&sha, bytes, count);
  SHA256_Final(hash, &sha);
}
