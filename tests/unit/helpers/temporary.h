/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TEMPORARY_H
#define SONDE_TEMPORARY_H

#include <stddef.h>

/* Folders of a test's own. */

char *temporary(void);
void make_dir(const char *dir, const char *name);
/* adds to what is there */
void append_to(const char *dir, const char *file, const void *data, size_t size);
/* instead of what is there */
void write_text(const char *dir, const char *file, const char *text);
void remove_all(char *dir);			/* frees the name, too */

#endif
