#ifndef SETTINGS_BUILD_H
#define SETTINGS_BUILD_H

/* The commit that the program was built from, in seven digits, with a plus sign behind it if files had been edited; empty where
   nobody told: Scripts/build does. */
const char *settings_commit(void);

#endif
