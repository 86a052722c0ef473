/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TEMPORARY_H
#define SONDE_TEMPORARY_H

#include <stddef.h>

/* Folders for one test. */

/* Makes a folder. Returns its name. */
char *temporary(void);
void make_dir(const char *dir, const char *name);
/* Appends to a file of the folder. */
void append_to(const char *dir, const char *file, const void *data, size_t size);
/* Replaces the content of a file of the folder. */
void write_text(const char *dir, const char *file, const char *text);
/* Removes the folder with its content, and frees the name. */
void remove_all(char *dir);

#endif
