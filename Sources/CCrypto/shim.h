// What CGitObjects' sha1.h is linked with, and the signatures of sessions.
#ifndef SETTINGS_CCRYPTO_SHIM_H
#define SETTINGS_CCRYPTO_SHIM_H

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

#endif
