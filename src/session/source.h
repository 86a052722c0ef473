/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SOURCE_H
#define SONDE_SOURCE_H

#include "backends/backend.h"

/* Where a run's events come from: this machine's kernel, or a file of records (--input). */
struct source {
	const struct backend *const *backends;	/* in order of preference; NULL-terminated */
	const char *records;			/* the file; NULL: events of the kernel */
};

/*
 * `input`: the file of records; NULL: this machine's kernel. -1 and err: the file can't be read.
 */
int source_open(struct source *s, const char *input, struct error *err);
/*
 * The facts of a kernel: of the snapshot in that folder, or (NULL) of the running one, with what
 * finds out more of it. To be freed by kernel_free(). NULL and err: the folder has no snapshot, or
 * out of memory.
 */
struct kernel *source_kernel(const char *snapshot, struct error *err);

#endif
