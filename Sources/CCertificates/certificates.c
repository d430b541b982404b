// libgit2 (all versions; not reported) starts TLS and SSH in git_libgit2_init, and TLS reads every certificate of the
// system. No command on local files needs either. Linked statically, both wait: Scripts/build passes --wrap for their
// starts, which are 2.4 of the 11.3 million instructions of a `settings set` even without the certificates. Linked
// dynamically, the program's symbol is found before the library's: this stands in front of mbedTLS's reader of certificates.
#define _GNU_SOURCE
#include "certificates.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_bool allowed;

void settings_certificates_allow(void) { atomic_store(&allowed, 1); }

#if defined(SETTINGS_STATIC)
int __real_git_mbedtls_stream_global_init(void);
int __real_git_transport_ssh_global_init(void);

int __wrap_git_mbedtls_stream_global_init(void) {
  return atomic_load(&allowed) ? __real_git_mbedtls_stream_global_init() : 0;
}

int __wrap_git_transport_ssh_global_init(void) {
  return atomic_load(&allowed) ? __real_git_transport_ssh_global_init() : 0;
}
#elif defined(__linux__)
int mbedtls_x509_crt_parse_file(void *chain, const char *path) {
  if (!atomic_load(&allowed)) return -1;
  int (*real)(void *, const char *) = (int (*)(void *, const char *))dlsym(RTLD_NEXT, "mbedtls_x509_crt_parse_file");
  return real == NULL ? -1 : real(chain, path);
}
#endif
