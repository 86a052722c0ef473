/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SOURCE_H
#define SONDE_SOURCE_H

#include "backends/backend.h"

/* Where a run's events come from: this machine's kernel, or a file of records (--input). */
struct source {
	const struct backend *const *backends;	/* in order of preference; ends with NULL */
	const char *records;			/* the file; NULL: events of the kernel */
};

/*
 * `input`: the file of records; NULL: this machine's kernel. Returns -1 and sets err if the file
 * can't be read.
 */
int source_open(struct source *s, const char *input, struct error *err);
/*
 * The facts of a kernel, by the snapshot in a folder. NULL: of the running kernel, with the
 * functions that find more facts at run time. The caller calls kernel_free(). Returns NULL and sets
 * err if the folder has no snapshot, or if there is no memory.
 */
struct kernel *source_kernel(const char *snapshot, struct error *err);

#endif
