// Nothing is declared: the functions stand where libgit2 looks for its own.
#ifndef SETTINGS_TRANSPORTS_H
#define SETTINGS_TRANSPORTS_H
#endif
