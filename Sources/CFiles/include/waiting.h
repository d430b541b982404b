// A process that waits in the background for a moment.
#ifndef SETTINGS_CFILES_WAITING_H
#define SETTINGS_CFILES_WAITING_H

// Waits until the system's clock shows a moment, in seconds since 1970, however it is set meanwhile and whether or not the
// machine sleeps; or, unless it is -1, until a descriptor can be read from. Returns whether that can be.
int settings_wait_until(long long moment, int descriptor);

// Closes all descriptors from `first` on.
void settings_close_from(int first);

#endif
