/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HITS_H
#define SONDE_HITS_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"
#include "compat/recordings/perf/perf_write.h"
#include "compat/recordings/recording.h"

/*
 * For a recorder, on the machine that it records: what processes have mapped when it begins, and at
 * its end the names of the functions that the recorded stacks and fields of events have.
 */

/*
 * Calls `each` for all mappings of code that processes have now. Returns -1 and sets err without
 * memory. What can't be read is left out.
 */
int hits_mappings(const volatile sig_atomic_t *stop,
		  void (*each)(void *arg, const struct perf_written_mapping *m), void *arg,
		  struct error *err);

/* A function that was hit, by the addresses of the stacks that are in it. */
struct hit {
	uint64_t at;			/* where it begins: in its file, or of the kernel */
	uint64_t end;			/* behind its last address in a stack */
	const char *name;
};

/* The functions of a file, or of the kernel, sorted. */
struct hit_file {
	/* of the kernel [kernel.kallsyms], or [NAME] of a module */
	const char *path;
	bool kernel;
	const uint8_t *build_id;	/* of a file; NULL: unknown */
	const struct hit *list;
	size_t n;
};

/* How many files had functions that were hit and have no names, and why. */
struct hits_lacks {
	uint32_t unopened;		/* they are gone, or others are at their path */
	uint32_t several;		/* several files had the path */
	uint32_t made;			/* addresses in code that processes made themselves */
};

/*
 * Reads a recording of this machine to its end, and calls `each` for each file. Returns -1 and sets
 * err if it can't be read.
 */
int hits_names(struct recording *recording, const volatile sig_atomic_t *stop,
	       int (*each)(void *arg, const struct hit_file *f), void *arg,
	       struct hits_lacks *lacks, struct error *err);

#endif
