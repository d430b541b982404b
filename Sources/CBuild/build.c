#include "CBuild.h"

#ifndef SETTINGS_COMMIT
#define SETTINGS_COMMIT ""
#endif

const char *settings_commit(void) { return SETTINGS_COMMIT; }
