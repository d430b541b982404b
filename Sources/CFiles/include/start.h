// How the process was started, and how it goes on. Swift looks for the former in /proc, which a container may lack.
#ifndef SETTINGS_CFILES_START_H
#define SETTINGS_CFILES_START_H

// The words of the command line, the last one followed by NULL; NULL where the C library doesn't hand them out.
char *const *settings_arguments(void);

// The environment, the last entry followed by NULL.
char **settings_environment(void);

// Where the program lies, to be freed; NULL where the system doesn't tell.
char *settings_program_path(void);

// Memory that is freed stays with the process.
void settings_keep_memory(void);

// Memory that was freed goes back to the system.
void settings_return_memory(void);

// Allows as many open files as the system lets this user have.
void settings_allow_files(void);

#endif
