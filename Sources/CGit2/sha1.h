// SHA-1 (FIPS 180-4) of bytes that come in pieces: what stands at the end of a pack and of an index. libgit2 hands out
// no hash but that of an object.
#ifndef SETTINGS_CGIT2_SHA1_H
#define SETTINGS_CGIT2_SHA1_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
  uint32_t state[5];
  uint64_t length;
  unsigned char block[64];
} settings_sha1;

static inline void settings_sha1_begin(settings_sha1 *sha) {
  const uint32_t start[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  memcpy(sha->state, start, sizeof start);
  sha->length = 0;
}

static inline uint32_t settings_sha1_turn(uint32_t word, int bits) { return word << bits | word >> (32 - bits); }

static inline void settings_sha1_block(uint32_t *state, const unsigned char *bytes) {
  uint32_t words[80];
  for (int i = 0; i < 16; i++) {
    const unsigned char *four = bytes + 4 * i;
    words[i] = (uint32_t)four[0] << 24 | (uint32_t)four[1] << 16 | (uint32_t)four[2] << 8 | four[3];
  }
  for (int i = 16; i < 80; i++) {
    words[i] = settings_sha1_turn(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
  }
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
#define SETTINGS_SHA1_ROUNDS(from, to, mix, constant)                                          \
  for (int i = from; i < to; i++) {                                                            \
    uint32_t next = settings_sha1_turn(a, 5) + (mix) + e + (uint32_t)(constant) + words[i];    \
    e = d, d = c, c = settings_sha1_turn(b, 30), b = a, a = next;                              \
  }
  SETTINGS_SHA1_ROUNDS(0, 20, d ^ (b & (c ^ d)), 0x5A827999)
  SETTINGS_SHA1_ROUNDS(20, 40, b ^ c ^ d, 0x6ED9EBA1)
  SETTINGS_SHA1_ROUNDS(40, 60, (b & c) | (d & (b | c)), 0x8F1BBCDC)
  SETTINGS_SHA1_ROUNDS(60, 80, b ^ c ^ d, 0xCA62C1D6)
#undef SETTINGS_SHA1_ROUNDS
  state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
}

static inline void settings_sha1_add(settings_sha1 *sha, const void *data, size_t count) {
  const unsigned char *bytes = (const unsigned char *)data;
  size_t held = sha->length % 64;
  sha->length += count;
  if (held > 0) {
    size_t room = 64 - held < count ? 64 - held : count;
    memcpy(sha->block + held, bytes, room);
    if (held + room < 64) return;
    settings_sha1_block(sha->state, sha->block);
    bytes += room;
    count -= room;
  }
  for (; count >= 64; bytes += 64, count -= 64) settings_sha1_block(sha->state, bytes);
  if (count > 0) memcpy(sha->block, bytes, count);
}

// 20 bytes.
static inline void settings_sha1_end(settings_sha1 *sha, unsigned char *hash) {
  uint64_t bits = sha->length * 8;
  const unsigned char one = 0x80, none = 0;
  settings_sha1_add(sha, &one, 1);
  while (sha->length % 64 != 56) settings_sha1_add(sha, &none, 1);
  unsigned char length[8];
  for (int i = 0; i < 8; i++) length[i] = (unsigned char)(bits >> (56 - 8 * i));
  settings_sha1_add(sha, length, 8);
  for (int i = 0; i < 20; i++) hash[i] = (unsigned char)(sha->state[i / 4] >> (24 - 8 * (i % 4)));
}

#endif
