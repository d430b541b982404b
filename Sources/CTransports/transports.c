// libgit2's ways over a network, which no command here takes: what is fetched and sent goes through the program `git`.
// libgit2 (all versions; not reported) starts TLS and SSH in git_libgit2_init, and TLS reads every certificate of the system.
#include "transports.h"

#if defined(SETTINGS_STATIC)
// In place of libgit2's own: what they need, SSH, TLS, HTTP and a random generator, is then not linked either (3.4 MB with
// its tables), and doesn't start. The names and the meaning of a result below 0 are those of libgit2 1.5:
// src/libgit2/transport.c and src/libgit2/streams.
#include <git2.h>
#include <stdbool.h>

extern int git_error_set_str(int kind, const char *message);

// Whether `http.expectContinue` is set.
bool git_http__expect_continue;

static int unavailable(void) {
  git_error_set_str(GIT_ERROR_NET, "libgit2 was built without a network");
  return -1;
}

int git_mbedtls_stream_global_init(void) { return 0; }
int git_transport_ssh_global_init(void) { return 0; }

int git_mbedtls_stream_new(void) { return unavailable(); }
int git_mbedtls_stream_wrap(void) { return unavailable(); }
int git_mbedtls__set_cert_location(void) { return unavailable(); }
int git_smart_subtransport_http(void) { return unavailable(); }
int git_smart_subtransport_ssh(void) { return unavailable(); }
int git_transport_ssh_with_paths(void) { return unavailable(); }
#elif defined(__linux__)
// Linked dynamically, the program's symbol is found before mbedTLS's reader of certificates. Debian's 139 cost 6 of 9 ms.
int mbedtls_x509_crt_parse_file(void *chain, const char *path) {
  (void)chain, (void)path;
  return -1;
}
#endif
