// Git's objects written and read where libgit2 is too slow or wrong, and the system calls that this takes.
#ifndef SETTINGS_CGITOBJECTS_H
#define SETTINGS_CGITOBJECTS_H

#include "batch.h"
#include "disk.h"
#include "loose.h"
#include "offsets.h"
#include "sha1.h"

#endif
