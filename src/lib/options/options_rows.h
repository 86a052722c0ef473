/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OPTIONS_ROWS_H
#define SONDE_OPTIONS_ROWS_H

#include <stddef.h>

#include "src/lib/options/option.h"

enum option_group { GROUP_OWN, GROUP_FILTERS, GROUP_OUTPUT, GROUP_ENGINE, GROUPS };

/*
 * An option as a command line takes it: an own row, completed by the common one of that name, or a
 * common one.
 */
struct option_row {
	struct option option;
	enum option_group group;	/* of a common option, for --help */
	/* it is an own row, be it only to get a letter */
	bool own;
	bool positional;		/* interval, count: no option of that name, a value only */
	const struct output_format *format;	/* that it asks for; NULL: it is no format's */
};

/* An option of all command lines. It has its letter where no other row has that letter. */
struct common_option {
	enum option_group group;
	struct option option;
	bool formats;			/* instead of an option: those of the formats are here */
};

/* The rows of a command line, and its name. */
struct option_source {
	const char *name;		/* for messages: "opensnoop" */
	const struct option *own;	/* ends with an empty row; NULL: none */
	const struct common_option *common;	/* ends with an empty row */
	unsigned int positionals;	/* of [interval [count]] */
	int64_t interval;		/* initial value of the interval */
};

/*
 * All rows of a command line: own ones, common ones, positionals. The caller frees; NULL: out of
 * memory.
 */
struct option_row *option_rows(const struct option_source *s, unsigned int *n);

/* NULL if there is none. Names are looked up in `length` bytes and include aliases. */
const struct option_row *option_by_letter(const struct option_row *rows, unsigned int n,
					  char letter);
const struct option_row *option_by_name(const struct option_row *rows, unsigned int n,
					const char *name, size_t length);
/* The option whose value may be given alone. */
const struct option_row *option_positional(const struct option_row *rows, unsigned int n);
/* The nearest name of an option; NULL: none is near. */
const char *option_nearest(const struct option_row *rows, unsigned int n, const char *name,
			   size_t length);

#endif
