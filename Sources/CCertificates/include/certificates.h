#ifndef SETTINGS_CERTIFICATES_H
#define SETTINGS_CERTIFICATES_H

/// Lets TLS read the system's certificates from here on. Until then libgit2's start reads none:
/// nothing that works on local files needs them, and Debian's 139 cost 6 of its 9 ms.
void settings_certificates_allow(void);

#endif
