/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LIBRARY_H
#define SONDE_LIBRARY_H

/*
 * A library for probes of user space: a small ELF file that this program writes and maps by
 * mmap(2), because a static program maps no real library. Its functions all do the same. Each has a
 * statically defined probe (USDT) at its beginning, PROVIDER:FUNCTION, with the first four argument
 * registers, and these again as arguments 5 to 8; the functions have two arguments.
 */
#define LIBRARY_FUNCTIONS 8

/* The type of the functions: they return inner(text). */
typedef void *library_function(const char *text, void *(*inner)(const char *text));

/*
 * Writes the file. `names` ends with NULL; they are FUNCTION, of the provider sonde, or
 * PROVIDER:FUNCTION. Returns 0, or -1 and errno.
 */
int library_write(const char *path, const char *const *names);
/* Maps the file as a loader does. Returns its base address, or NULL and errno. */
void *library_map(const char *path);
/* The function with this number, in the mapped library. */
library_function *library_at(void *base, unsigned int function);

#endif
