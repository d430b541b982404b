// What ArgumentParser has of Foundation: whether an error is a LocalizedError, which none is here, and an encoder for
// `--experimental-dump-help`, for which nobody asks.
#include "foundation.h"

#if defined(SETTINGS_STATIC)
// In place of Foundation's own, which is then not linked, nor what it needs (5 MB). They are weak: where something else takes
// Foundation in, its own count. The names are those of Swift 6 for Linux; ArgumentParser 1.8 asks for no others.
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#define FOUNDATION(name) __asm__("$s" name) __attribute__((weak, visibility("hidden")))

// A protocol without requirements to which nothing conforms: TargetProtocolDescriptor in Swift's include/swift/ABI/Metadata.h.
// `name` counts from itself.
typedef struct {
  uint32_t flags;
  int32_t parent, name;
  uint32_t requirements_in_signature, requirements;
  int32_t associated_types;
  char text[16];
} protocol;

extern const protocol localized_error FOUNDATION("20FoundationEssentials14LocalizedErrorMp");
// A context that is a protocol, and unique; its instances need not be classes.
const protocol localized_error = {
    .flags = 0x10043, .name = offsetof(protocol, text) - offsetof(protocol, name), .text = "LocalizedError"};

static void unavailable(void) {
  static const char message[] = "settings: this program was built without --experimental-dump-help\n";
  ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
  _exit(written < 0 ? 74 : 64);
}

// The encoder's type, which is asked for first.
void encoder_type(void) FOUNDATION("20FoundationEssentials11JSONEncoderCMa");
void encoder_type(void) { unavailable(); }

void encoder_init(void) FOUNDATION("20FoundationEssentials11JSONEncoderCACycfc");
void encoder_init(void) { unavailable(); }

void pretty_printed(void) FOUNDATION("20FoundationEssentials11JSONEncoderC16OutputFormattingV13prettyPrintedAEvau");
void pretty_printed(void) { unavailable(); }

void sorted_keys(void) FOUNDATION("20FoundationEssentials11JSONEncoderC16OutputFormattingV10sortedKeysAEvau");
void sorted_keys(void) { unavailable(); }

void utf8(void) FOUNDATION("SS20FoundationEssentialsE8EncodingV4utf8ACvau");
void utf8(void) { unavailable(); }

void string(void) FOUNDATION("SS20FoundationEssentialsE4data8encodingSSSgAA4DataVh_SSAAE8EncodingVtcfC");
void string(void) { unavailable(); }
#endif
