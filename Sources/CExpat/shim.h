#ifndef SETTINGS_CEXPAT_SHIM_H
#define SETTINGS_CEXPAT_SHIM_H

#include <expat.h>

#endif
