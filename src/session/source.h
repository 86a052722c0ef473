/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SOURCE_H
#define SONDE_SOURCE_H

#include <signal.h>

#include "backends/backend.h"

/* Where a run's events come from: the kernel of this machine, a recording, a text of records. */
struct source {
	const struct backend *const *backends;	/* in order of preference; ends with NULL */
	const char *records;			/* the file (--input); NULL: none */
	struct recording *recording;		/* the same, opened; NULL: a text */
	struct kernel *live;			/* of a recording of rings; NULL: it is a file */
};

/*
 * `input`: a recording of another program, or the name of ftrace's rings; with `snapshot`, the
 * facts of its kernel, a text of records; NULL: this machine's kernel. Reading ends when *stop is
 * not 0. Returns -1 and sets err if the file can't be read. The caller calls source_close() in any
 * case.
 */
int source_open(struct source *s, const char *input, const char *snapshot,
		const volatile sig_atomic_t *stop, struct error *err);
/* No engine and no kernel of it may be in use. */
void source_close(struct source *s);
/*
 * The running kernel, with the functions that find more facts at run time. The caller calls
 * kernel_free(). Returns NULL if there is no memory.
 */
struct kernel *source_running_kernel(void);
/*
 * The facts of a kernel: that of the recording; or by the snapshot in a folder; or the running
 * kernel. The caller calls kernel_free(). Returns NULL and sets err if the folder has no snapshot,
 * or if there is no memory.
 */
struct kernel *source_kernel(const struct source *s, const char *snapshot, struct error *err);

#endif
