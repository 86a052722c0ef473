/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LEFT_OUT_H
#define SONDE_LEFT_OUT_H

/*
 * What dcgettext(3) does without a locale: it returns @message itself. The Makefile links libraries
 * with this in its place, which would bring the reading of catalogues.
 */
char *untranslated(const char *domain, const char *message, int category);

/* Called in the place of what finds shared libraries: a static program loads none. */
void nothing_to_load(void);

/* Makes what only the start of a program writes to (PT_GNU_RELRO) read-only, from its headers. */
void protect_relro(const void *map);

#endif
