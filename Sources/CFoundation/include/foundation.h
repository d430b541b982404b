// Nothing is declared: the symbols stand where ArgumentParser looks for Foundation's.
#ifndef SETTINGS_FOUNDATION_H
#define SETTINGS_FOUNDATION_H
#endif
