/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LISTING_H
#define SONDE_LISTING_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/binaries/binaries.h"
#include "compat/kernel/kernel.h"

/*
 * What can be probed, by name: functions of the kernel, of a library or a program, and tracepoints.
 * Only wanted names are listed.
 */
struct wanted_names {
	/* returns true for a wanted name; for user files it runs in a process of its own */
	bool (*wanted)(void *arg, const char *name);
	void *arg;
	/*
	 * The one wanted name: the function is listed as probeable even if the kernel's function
	 * tracer leaves it out. NULL: there may be several.
	 */
	const char *one;
};

struct listed {
	char *name;			/* of a tracepoint: SYSTEM:EVENT */
	/* kernel: its module, NULL: the kernel itself; USDT probe: its provider */
	char *module;
	/* USDT probe: its arguments (compat/usdt/arguments.h) */
	char *arguments;
	uint64_t semaphore;		/* USDT probe: offset in the file; 0: none */
	/* kernel: 0 is unknown; user space: offset in the file */
	uint64_t address;
	struct binary *binary;		/* NULL: not of user space */
	const char *why;		/* why it can't be probed; NULL: it can */
	bool gone;			/* code that only ran at boot */
	/* other functions of the kernel have this name: only the address identifies it */
	bool shared;
	/* kernel: line number in the list of functions of the tracer, from 1; 0: none */
	uint32_t line;
	/* the kernel's function tracer sees it: a probe on many at once is possible */
	bool traced;
};

/* Sorted by name, with entries that can't be probed. */
struct listing {
	unsigned int n;
	struct listed *list;
};

/* The bytes of "t:" or "tracepoint:", which a pattern may begin with; 0: neither. */
size_t tracepoint_mark(const char *s);

/*
 * These add wanted names to an empty listing; to find none is no error. They return -1 and set err
 * on failure.
 */
int list_kernel_functions(struct kernel *k, const struct wanted_names *w, struct listing *to,
			  struct error *err);
int list_tracepoints(struct kernel *k, const struct wanted_names *w, struct listing *to,
		     struct error *err);
/*
 * Lists functions of all files of a library ("c", "pthread"), of a program by name, or of a file by
 * path. It is an error if there is no such file.
 */
int list_user_functions(struct kernel *k, const char *file, const struct wanted_names *w,
			struct listing *to, struct error *err);
/*
 * Lists statically defined probes, an entry for each place; wanted() gets PROVIDER:NAME. The file
 * may be "*": all files that the processes of -p have mapped.
 */
int list_usdt(struct kernel *k, const char *file, const struct wanted_names *w, struct listing *to,
	      struct error *err);
void listing_free(struct listing *l);
void listed_free(struct listed *one);

/* For the files of this folder: adds an entry. Returns -1 if there is no memory or no room. */
#define LISTED_MOST 100000
int listing_add(struct listing *l, const struct listed *one, const char *name, size_t length);
void listing_sort(struct listing *l);

#endif
