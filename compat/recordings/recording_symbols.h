/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RECORDING_SYMBOLS_H
#define SONDE_RECORDING_SYMBOLS_H

#include "compat/recordings/recording.h"

/* Names of functions that a recording has itself: those of a file, or of the kernel. */
struct recorded_symbol {
	uint64_t at, length;		/* an address, as the file has them */
	size_t name;			/* where it begins in `names` */
};

struct recorded_symbols {
	/* addresses are those of the running kernel; the first of `names` is that of its module */
	bool kernel;
	bool begun;
	bool several;			/* the recording has them twice: none is certain */
	uint64_t bias;			/* of an address, less its position in the file */
	struct recorded_symbol *list;	/* sorted */
	size_t n;
	char *names;			/* each with its NUL */
	size_t names_size, names_room;
};

/*
 * The function at a position of the file of this path; of the kernel at an address. `start` is a
 * position, too. Returns NULL if the recording does not name it.
 */
const char *recording_symbol(const struct recording *r, const char *path, uint64_t position,
			     uint64_t *start);
/* The same of all of the kernel: *module gets the module's name, or "". */
const char *recording_kernel_symbol(const struct recording *r, uint64_t address, uint64_t *start,
				    const char **module);
/*
 * Calls `each` for every file whose functions the recording names, also of those with `several`,
 * and for the kernel and its modules, until it returns something else than 0, which is returned.
 * Addresses are positions plus `bias`.
 */
int recording_each_symbols(const struct recording *r,
			   int (*each)(void *arg, const char *path,
				       const struct recorded_symbols *s),
			   void *arg);
/* Returns true if the recording names functions of the file of this path. */
bool recording_names(const struct recording *r, const char *path);

/* ---- for formats ---- */

/*
 * Begins the symbols of a path; module: they are of the kernel; NULL: of a file. Returns NULL
 * without memory.
 */
struct recorded_symbols *recording_add_symbols(struct recording *r, const char *path,
					       const char *module);
/* Adds one, whose name has n bytes. Returns -1 if there is no memory. */
int recorded_symbols_add(struct recorded_symbols *s, uint64_t at, uint64_t length,
			 const char *name, size_t n);
/* Sorts them, once all are there. */
void recorded_symbols_end(struct recorded_symbols *s);
void recording_free_symbols(struct recording *r);

#endif
