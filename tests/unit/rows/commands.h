/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_COMMANDS_ROWS_H
#define SONDE_COMMANDS_ROWS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Options that change the code: one of each group, in all combinations. What @dev and @family mean
 * no command line can give here: a disk of this machine, and a command that would be run.
 */
struct choices {
	const char *tool;
	const char *of[6][6];
};

extern const struct choices choices[];	/* ends with an empty row */

/* A command line, and what is set beside it. */
struct command {
	bool forced;			/* --backend bpf */
	char line[160];
	int64_t dev;
	bool family;
	/* bits: as if the options of these rows of filter_options[] had been given, with n_ids */
	unsigned int filters, n_ids;
};

/* Combination `number` of a tool's options as a command line; false: there are not so many. */
bool combine(const struct choices *choice, unsigned int number, struct command *c);

#endif
