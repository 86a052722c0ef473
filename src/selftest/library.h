/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LIBRARY_H
#define SONDE_LIBRARY_H

/*
 * A library of our own for probes of user space to find, made of nothing but this program: a small
 * ELF file whose functions all do the same, and no loader but mmap(2). Programs that are static, as
 * this one, map no real one.
 */
#define LIBRARY_FUNCTIONS 8

/* What its functions do: inner(text), and return what that returns. */
typedef void *library_function(const char *text, void *(*inner)(const char *text));

/* Writes the file; names end with NULL. 0, or -1 and errno. */
int library_write(const char *path, const char *const *names);
/* Maps it as a loader would; function I is at library_at(BASE, I). NULL and errno if it can't. */
void *library_map(const char *path);
library_function *library_at(void *base, unsigned int function);

#endif
