// A process that waits in the background for a moment.
#ifndef SETTINGS_CFILES_WAITING_H
#define SETTINGS_CFILES_WAITING_H

// Waits until the system's clock shows a moment, in seconds since 1970, however it is set meanwhile and whether or not the
// machine sleeps.
void settings_wait_until(long long moment);

// Closes all descriptors from `first` on.
void settings_close_from(int first);

#endif
