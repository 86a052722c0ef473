/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STACKED_H
#define SONDE_STACKED_H

#include "src/tool.h"

/*
 * Rows with stacks, of tools that show each record: text has the frames below the row, JSON and CSV
 * have them as texts in columns, folded.
 */
struct stacked {
	struct text kernel, user;	/* what the columns show */
};

#define STACKED_COLUMNS(OFFSET_KERNEL, OFFSET_USER, KERNEL, USER) \
	{ "KERNEL_STACK", "kernel_stack", COLUMN_TEXT, 0, (OFFSET_KERNEL), \
	  .readers = FOR_MACHINES, .option = (KERNEL), \
	  .help = "the functions of the kernel, the oldest first; in JSON and CSV" }, \
	{ "USER_STACK", "user_stack", COLUMN_TEXT, 0, (OFFSET_USER), \
	  .readers = FOR_MACHINES, .option = (USER), \
	  .help = "those of user space" }

/* Shows a row whose part `s` this fills, and below it the stacks of the record. */
void stacked_show(struct run *r, const struct record *record, const void *row, struct stacked *s);

#endif
