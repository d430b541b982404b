// Looks at all offsets of an index before libgit2 follows one: its reader of an object's header looks behind the end of the
// pack where an offset leads there, and dies (1.5; not reported). A million of them take a millisecond.
#include "offsets.h"

static uint32_t settings_get_32(const void *table, size_t place) {
  const unsigned char *bytes = (const unsigned char *)table + place;
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

long settings_offset_beyond(const settings_offsets *offsets, const uint64_t *ends, size_t packs) {
  for (size_t i = 0; i < offsets->count; i++) {
    uint32_t pack = offsets->packs == NULL ? 0 : settings_get_32(offsets->packs, i * offsets->stride);
    if (pack >= packs) continue;
    uint64_t offset = settings_get_32(offsets->offsets, i * offsets->stride);
    if (offsets->far != NULL && offset >> 31 != 0) {
      // libgit2 multiplies by 8 in 32 bits.
      size_t place = (size_t)(offset & 0x1FFFFFFF);
      if (place >= offsets->far_count) continue;
      offset = (uint64_t)settings_get_32(offsets->far, place * 8) << 32 | settings_get_32(offsets->far, place * 8 + 4);
    }
    if (offset >= ends[pack]) return (long)i;
  }
  return -1;
}
