/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OPTIONS_ROWS_H
#define SONDE_OPTIONS_ROWS_H

#include <stddef.h>
#include <stdio.h>

#include "compat/base/error.h"
#include "src/lib/options/option.h"

/* The headings of --help. */
enum option_group { GROUP_OWN, GROUP_FILTERS, GROUP_OUTPUT, GROUP_ENGINE, GROUPS };

/*
 * An option as a command line takes it: a tool's own row, completed by the common row of that name,
 * or a common row.
 */
struct option_row {
	struct option option;
	enum option_group group;	/* of a common option */
	/*
	 * members of the common options' struct: of its common row, and of own rows of that name;
	 * or its place
	 */
	struct option_member to;
	uint8_t given;
	/* the tool has a row for it, if only to add a letter */
	bool own;
	/* interval or count: their place tells. The interval may have a letter too. */
	bool positional;
	/* the common option that has this one's letter with other tools, and a value; NULL: none */
	const char *shadows;
	/* the format it asks for; NULL: not such an option */
	const struct output_format *format;
	/* who listens if it is given; NULL: not such an option */
	const struct option_listener *listener;
};

/* A listener to all that a tool shows, beside the screen. */
struct option_listener {
	const struct output_format *format;	/* its properties, and what it does */
	/* returns where it writes; gets the option and its value; NULL: it writes into no file */
	FILE *(*open)(const char *option, const char *value, struct error *err);
	bool times;			/* it shows things in time: rows need one */
};

/* An option of all command lines. It has its letter unless another row has that letter. */
struct common_option {
	enum option_group group;
	struct option option;
	bool formats;			/* not an option: the formats' options take this place */
	const struct option_listener *listener;
};

/*
 * Where in the common options' struct the value of an option goes that not all tools have: of own
 * rows and positionals of this name and type.
 */
struct option_place {
	const char *name;
	uint8_t type;			/* enum option_type */
	uint8_t given;			/* as in struct option */
	struct option_member to;
};

/* Where the rows of a command line come from. */
struct option_source {
	const char *name;		/* the command's name in messages: "opensnoop" */
	/* the tool's own rows; ends with an empty row; NULL: none */
	const struct option *own;
	const struct common_option *common;	/* ends with an empty row */
	const struct option_place *places;	/* the same; NULL: none */
	unsigned int positionals;	/* 0 to 2 of [interval [count]] */
	int64_t interval;		/* initial value of the interval, in seconds */
	size_t size, common_size;	/* of the structs whose members own and common rows name */
};

/*
 * All rows of a command line: own ones, common ones, positionals; *n of them. The caller frees.
 * Returns NULL if there is no memory.
 */
struct option_row *option_rows(const struct option_source *s, unsigned int *n);

/*
 * The row with a letter, or with a name or alias of `length` bytes. Return NULL if there is none.
 */
const struct option_row *option_by_letter(const struct option_row *rows, unsigned int n,
					  char letter);
const struct option_row *option_by_name(const struct option_row *rows, unsigned int n,
					const char *name, size_t length);
/* The row whose value may be given without its name, as the first or so. NULL if there is none. */
const struct option_row *option_positional(const struct option_row *rows, unsigned int n,
					   unsigned int which);
/* The row whose value may be given without its name, as a word. NULL if there is none. */
const struct option_row *option_bare(const struct option_row *rows, unsigned int n);
/* The option name most like a misspelled one. Returns NULL if no name is similar. */
const char *option_nearest(const struct option_row *rows, unsigned int n, const char *name,
			   size_t length);

#endif
