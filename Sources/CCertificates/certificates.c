// libgit2 reads every certificate of the system in git_libgit2_init. This stands in front of mbedTLS's reader:
// linked dynamically, the program's symbol is found before the library's; linked statically, Scripts/build passes
// --wrap=mbedtls_x509_crt_parse_file.
#define _GNU_SOURCE
#include "certificates.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_bool allowed;

void settings_certificates_allow(void) { atomic_store(&allowed, 1); }

#if defined(SETTINGS_STATIC)
int __real_mbedtls_x509_crt_parse_file(void *chain, const char *path);

int __wrap_mbedtls_x509_crt_parse_file(void *chain, const char *path) {
  return atomic_load(&allowed) ? __real_mbedtls_x509_crt_parse_file(chain, path) : -1;
}
#elif defined(__linux__)
int mbedtls_x509_crt_parse_file(void *chain, const char *path) {
  if (!atomic_load(&allowed)) return -1;
  int (*real)(void *, const char *) = (int (*)(void *, const char *))dlsym(RTLD_NEXT, "mbedtls_x509_crt_parse_file");
  return real == NULL ? -1 : real(chain, path);
}
#endif
