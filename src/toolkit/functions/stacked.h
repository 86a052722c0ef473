/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STACKED_H
#define SONDE_STACKED_H

#include "src/run/tool.h"

/*
 * Rows with stacks, for tools that show each record. Text has the frames below the row. JSON and
 * CSV have them in columns, folded.
 */
struct stacked {
	struct text kernel, user;	/* values of the columns */
};

#define STACKED_COLUMNS(OFFSET_KERNEL, OFFSET_USER, KERNEL, USER) \
	{ "KERNEL_STACK", "kernel_stack", COLUMN_TEXT, 0, (OFFSET_KERNEL), \
	  .readers = FOR_MACHINES, .option = (KERNEL), \
	  .help = "the functions of the kernel, the oldest first; in JSON and CSV" }, \
	{ "USER_STACK", "user_stack", COLUMN_TEXT, 0, (OFFSET_USER), \
	  .readers = FOR_MACHINES, .option = (USER), \
	  .help = "the functions of user space, the oldest first" }

/* Fills *s, which is a part of the row; prints the row, and below it the record's stacks. */
void stacked_show(struct run *r, const struct record *record, const void *row, struct stacked *s);

#endif
