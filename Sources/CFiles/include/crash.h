// One line about a crash, for whoever reports it.
#ifndef SETTINGS_CFILES_CRASH_H
#define SETTINGS_CFILES_CRASH_H

// From now on, a crash of the process is reported on standard error in one line: which signal, where in the program, which
// `build` of it, and `advice`. The process then ends by the signal, as it would have without this. The texts are copied, up
// to 255 bytes of each.
void settings_report_crashes(const char *build, const char *advice);

#endif
