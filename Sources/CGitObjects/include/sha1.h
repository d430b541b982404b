// SHA-1 of bytes that come in pieces: what stands at the end of a pack and of an index. libgit2 hands out no hash but that
// of an object, and OpenSSL's uses the processor's own instructions: a tenth of the time.
#ifndef SETTINGS_CGITOBJECTS_SHA1_H
#define SETTINGS_CGITOBJECTS_SHA1_H

#include <stddef.h>

// What it has in place of these needs its providers looked up first, which takes longer than most hashes here.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

typedef SHA_CTX settings_sha1;

void settings_sha1_begin(settings_sha1 *sha);
void settings_sha1_add(settings_sha1 *sha, const void *bytes, size_t count);
void settings_sha1_end(settings_sha1 *sha, unsigned char *hash);

// Of all bytes at once, 32 bytes.
void settings_sha256(const void *bytes, size_t count, unsigned char *hash);

#endif
