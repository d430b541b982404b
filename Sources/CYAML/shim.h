#ifndef SETTINGS_CYAML_SHIM_H
#define SETTINGS_CYAML_SHIM_H

#include <yaml.h>

#endif
