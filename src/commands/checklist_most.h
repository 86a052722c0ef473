/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CHECKLIST_MOST_H
#define SONDE_CHECKLIST_MOST_H

#include <stdbool.h>
#include <stdio.h>

#include "src/toolkit/process.h"

/*
 * What a tool shows most, made of its CSV while it runs: rows that are alike are counted. Nothing
 * else is kept, so that it does not matter how many rows there are.
 */
struct most {
	const char *by;		/* heads of the columns that tell kinds of rows: "COMM,ERR,PATH" */
	/* head of a number: kinds with the largest come first; NULL: those with most rows */
	const char *order;
	int columns[8];		/* places of `by` in a line; filled in from the head */
	unsigned int n_columns;
	int order_column;
	bool has_head;
	struct kind *kinds;
	unsigned int n, room;
	unsigned long rows, left_out;	/* all; those for whose kind there was no room */
};

/* Takes the lines that are complete, for struct written. */
void most_take(struct written *text, void *most);
/* Prints up to so many kinds, with a head. Returns false if there was no row. */
bool most_print(struct most *m, FILE *out, unsigned int lines);
void most_free(struct most *m);

#endif
