/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OPTIONS_ROWS_H
#define SONDE_OPTIONS_ROWS_H

#include "src/tool.h"

enum option_group { GROUP_OWN, GROUP_FILTERS, GROUP_OUTPUT, GROUP_ENGINE, GROUPS };

/*
 * An option as a tool really takes it: its own row, completed by the common one of that name, or a
 * common one.
 */
struct option_row {
	struct option option;
	enum option_group group;	/* of a common option, for --help */
	/* it is in the tool's table, be it only to get a letter */
	bool own;
	bool positional;		/* interval, count: no option of that name, a value only */
	const struct output_format *format;	/* that it asks for; NULL: it is no format's */
};

/*
 * Would this filter do anything? One that is taken and does nothing would make every line wrong.
 * Those by task are served by programs with FILTER in them, --name by tools that print an event a
 * line, --heatmap by those that print histograms; a tool's own row by the tool.
 */
bool option_served(const struct tool *t, const struct option_row *row);
/* Is it an option of tools with stacks? Others do not have it. */
bool option_of_stacks(const char *name);
bool tool_has_stacks(const struct tool *t);

/*
 * All rows of a tool: its own, the common ones, the positionals. The caller frees; NULL: no memory.
 */
struct option_row *option_rows(const struct tool *t, unsigned int *n);

/* NULL if there is none. Names are looked up in `length` bytes and include aliases. */
const struct option_row *option_by_letter(const struct option_row *rows, unsigned int n,
					  char letter);
const struct option_row *option_by_name(const struct option_row *rows, unsigned int n,
					const char *name, size_t length);
/* The option whose value may be given alone. */
const struct option_row *option_positional(const struct option_row *rows, unsigned int n);
/* The name someone may have meant, NULL if nothing is near. */
const char *option_nearest(const struct option_row *rows, unsigned int n, const char *name,
			   size_t length);

/* The nearest of several words, offered one by one: the first of those that are as near. */
struct nearest {
	const char *word;		/* what was given, `length` bytes of it */
	size_t length;
	const char *name;		/* what may have been meant; NULL: nothing is near */
	unsigned int distance;
};
void nearest_of(struct nearest *n, const char *word);
/* How far two words are from each other: letters to add, drop, change or swap. */
unsigned int word_distance(const char *a, size_t n_a, const char *b, size_t n_b);

#endif
