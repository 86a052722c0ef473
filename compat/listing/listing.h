/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LISTING_H
#define SONDE_LISTING_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/binaries/binaries.h"
#include "compat/kernel/kernel.h"

/*
 * What there is to probe, by name: all functions of the kernel, of a library or a program, and all
 * tracepoints, as far as somebody wants their names.
 */
struct wanted_names {
	/* files of others have such names too; it runs in a process of its own for these */
	bool (*wanted)(void *arg, const char *name);
	void *arg;
	/*
	 * It is this one name, which the user knows: a function of it is probed even if the
	 * kernel's function tracer leaves it out. NULL: it may be several.
	 */
	const char *one;
};

struct listed {
	char *name;			/* of a tracepoint SYSTEM:EVENT */
	/* of the kernel, NULL: the kernel itself; of a USDT probe: its provider */
	char *module;
	/* of a USDT probe: where they are (compat/usdt/arguments.h) */
	char *arguments;
	uint64_t semaphore;		/* the same: in the file; 0: it has none */
	/* of the kernel: 0 is unknown; of user space: in the file */
	uint64_t address;
	struct binary *binary;		/* NULL: not of user space */
	const char *why;		/* it can't be probed; NULL: it can */
	bool gone;			/* it was of no use any more when the system had booted */
	/* other functions of the kernel have this name: only the address tells which one it is */
	bool shared;
	/* of the kernel: its line in the list of what the function tracer sees, from 1; 0: none */
	uint32_t line;
	/* the kernel's function tracer sees it, so that a probe may be on many at once */
	bool traced;
};

/* Sorted by name; what can't be probed is among them. */
struct listing {
	unsigned int n;
	struct listed *list;
};

/* They add what is wanted to an empty listing; nothing is no error. -1 and err. */
int list_kernel_functions(struct kernel *k, const struct wanted_names *w, struct listing *to,
			  struct error *err);
int list_tracepoints(struct kernel *k, const struct wanted_names *w, struct listing *to,
		     struct error *err);
/*
 * Of all files that are this library ("c", "pthread"), of the program of this name, or of the file
 * if it is a path. -1 and err also if there is no such file.
 */
int list_user_functions(struct kernel *k, const char *file, const struct wanted_names *w,
			struct listing *to, struct error *err);
/*
 * Statically defined probes, each place of one for itself; `wanted` is asked for PROVIDER:NAME. The
 * file may be "*": all that the processes of -p have mapped.
 */
int list_usdt(struct kernel *k, const char *file, const struct wanted_names *w, struct listing *to,
	      struct error *err);
void listing_free(struct listing *l);
void listed_free(struct listed *one);

/* For the files of this folder: adds one; -1 if out of memory, or there are too many. */
#define LISTED_MOST 100000
int listing_add(struct listing *l, const struct listed *one, const char *name, size_t length);
void listing_sort(struct listing *l);

#endif
