// What CGitObjects' sha1.h is linked with.
#ifndef SETTINGS_CCRYPTO_SHIM_H
#define SETTINGS_CCRYPTO_SHIM_H

#include <openssl/sha.h>

#endif
