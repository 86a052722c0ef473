/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ALIKE_H
#define SONDE_ALIKE_H

#include "src/functions/stacked.h"

/* Rows that are shown as one, with how many of them there were. */
struct alike_row {
	uint64_t count;
	size_t number;			/* it was the first so many */
	struct stack_frame *frames;	/* the kernel's first; with names of their own */
	unsigned int n_kernel, n_user;
	struct stacked stacked;		/* the same for machines */
	void *row;			/* what the caller kept, by malloc() */
	size_t size;
	char key[];
};

struct alike {
	struct run *run;
	struct alike_row **list;
	size_t n;
	size_t *table;			/* by hash: number + 1; 0: free */
	size_t room;			/* of the table, a power of two */
};

/*
 * Counts a row. Rows are alike whose keys, texts and stacks are the same; `record` has the stacks,
 * NULL: none are shown. The `row` of a new one is NULL. NULL and err: out of memory, or the stacks
 * can't be named.
 */
struct alike_row *alike_add(struct alike *a, const void *key, size_t size,
			    const struct text *text, const struct record *record,
			    struct error *err);
/* The most frequent first; of equal ones, the one that was first. Nothing is added any more. */
void alike_sort(struct alike *a);
/* Shows `row` with its stacks. */
void alike_show(const struct alike *a, const struct alike_row *alike, const void *row);
void alike_free(struct alike *a);

#endif
