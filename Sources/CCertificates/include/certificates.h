#ifndef SETTINGS_CERTIFICATES_H
#define SETTINGS_CERTIFICATES_H

/// Lets libgit2 start what it needs for TLS and SSH; to be called before libgit2 is started. Without it nothing of the
/// network works, and libgit2's start takes a tenth of its time: Debian's 139 certificates alone cost 6 of 9 ms.
void settings_certificates_allow(void);

#endif
