/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LIBRARY_H
#define SONDE_LIBRARY_H

/*
 * A library for probes of user space to find: a small ELF file that this program writes, and loads
 * by mmap(2). Its functions all do the same. A static program like this one maps no real library.
 * Each of them has a statically defined probe (USDT) at its beginning, sonde:FUNCTION, with the
 * first four arguments, of which the functions themselves have two.
 */
#define LIBRARY_FUNCTIONS 8

/* What its functions do: call inner(text), and return what it returns. */
typedef void *library_function(const char *text, void *(*inner)(const char *text));

/* Writes the file; `names` ends with NULL. 0, or -1 and errno. */
int library_write(const char *path, const char *const *names);
/* Maps it as a loader does; function I is at library_at(BASE, I). NULL and errno on failure. */
void *library_map(const char *path);
library_function *library_at(void *base, unsigned int function);

#endif
