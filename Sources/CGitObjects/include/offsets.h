#ifndef SETTINGS_CGITOBJECTS_OFFSETS_H
#define SETTINGS_CGITOBJECTS_OFFSETS_H

#include <stddef.h>
#include <stdint.h>

// Where an index says that objects stand in packs, as `Documentation/gitformat-pack.txt` has it.
typedef struct {
  // One for each object, `stride` bytes apart.
  const void *offsets;
  size_t count, stride;
  // The number of the object's pack, as far apart; NULL where there is only one.
  const void *packs;
  // Where offsets of more than 31 bits are, and how many; NULL where an offset is one of 32 bits.
  const void *far;
  size_t far_count;
} settings_offsets;

// The first object that stands at or behind the end of its pack; -1 where none does. `ends` are the packs'. Numbers that lead out
// of `ends` or `far` are left to libgit2, which refuses them.
long settings_offset_beyond(const settings_offsets *offsets, const uint64_t *ends, size_t packs);

#endif
