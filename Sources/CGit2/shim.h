#ifndef SETTINGS_CGIT2_SHIM_H
#define SETTINGS_CGIT2_SHIM_H

#include <git2.h>

#endif
