/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ALIKE_H
#define SONDE_ALIKE_H

#include "compat/base/hash.h"
#include "src/toolkit/functions/stacked.h"

/* Rows with the same content, shown as one row with their number. */
struct alike_row {
	uint64_t count;
	size_t number;			/* when it came first: the rows before it */
	struct stack_frame *frames;	/* the kernel's first; memory of the names is the row's */
	unsigned int n_kernel, n_user;
	struct stacked stacked;		/* the frames as columns of JSON and CSV */
	void *row;			/* the caller's, by malloc() */
};

struct alike {
	struct run *run;
	struct alike_row **list;
	size_t n;
	struct hash rows;		/* by key, text and stacks */
};

/*
 * Counts a row. Rows are the same if key, text and stacks are equal. The stacks are those of
 * `record`; NULL: none. The member `row` of a new row is NULL. Returns NULL and sets err if there
 * is no memory, or if the stacks can't be named.
 */
struct alike_row *alike_add(struct alike *a, const void *key, size_t size,
			    const struct text *text, const struct record *record,
			    struct error *err);
/* Sorts by frequency, then by first occurrence. */
void alike_sort(struct alike *a);
/* Prints `row` with the stacks of `alike`. */
void alike_show(const struct alike *a, const struct alike_row *alike, const void *row);
void alike_free(struct alike *a);

#endif
