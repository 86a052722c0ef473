/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_UNTRANSLATED_H
#define SONDE_UNTRANSLATED_H

/*
 * What dcgettext(3) does without a locale: it returns @message itself. The Makefile links libraries
 * with this in its place, which would bring the reading of catalogues.
 */
char *untranslated(const char *domain, const char *message, int category);

#endif
