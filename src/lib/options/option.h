/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OPTION_H
#define SONDE_OPTION_H

#include <stdbool.h>
#include <stdint.h>

#include "src/lib/output/formats/formats.h"

enum option_type {
	OPTION_FLAG,
	OPTION_NUMBER,		/* an integer between min and max */
	OPTION_TEXT,		/* one of `names` if there are any */
	OPTION_LIST,		/* numbers between min and max, by commas or repeated */
	OPTION_USERS,		/* user names or ids, as a list */
	/* names out of `names`, repeatable; the value is the or of theirs */
	OPTION_FLAGS,
	OPTION_COMMAND,		/* the rest of the command line */
};

struct option_name {
	const char *name;
	int64_t value;
};

/*
 * One option. Long names are one vocabulary for all tools: a row without `help` takes type,
 * argument and help from the common row of that name (src/options/common.c), and gives it a
 * letter. The value's name is what programs say in CONST and JUMP_UNLESS: its number, or 1 if given
 * for the types that have none.
 */
struct option {
	char letter;			/* 0: only the long name */
	const char *name;		/* "failed" */
	const char *help;
	enum option_type type;
	const char *arg;		/* the name of its value in --help: "N", "PID" */
	int64_t min, max, initial;
	const struct option_name *names;	/* OPTION_FLAGS; ends with an empty row */
	const char *alias;		/* other long name it answers to (bcc's) */
	const char *excludes;		/* name of an option that it excludes */
	/* OPTION_TEXT: given again, it adds to the text behind this letter; 0: it replaces it */
	char joins;
	/* OPTION_TEXT: may be given without a value; one is given as --NAME=VALUE only */
	bool optional;
	/* its value alone will do: runqslower 1000; for tools without intervals */
	bool positional;
};

struct options;				/* values of a command line: options.h */

/* Values by name: 0, NULL, none if the option was not given (`initial` for numbers). */
int64_t option_number(const struct options *o, const char *name);
const char *option_text(const struct options *o, const char *name);
const int64_t *option_list(const struct options *o, const char *name, unsigned int *n);
/* The argv of OPTION_COMMAND, which ends with NULL; NULL: it was not given. */
char *const *option_command(const struct options *o);
bool option_given(const struct options *o, const char *name);
/* The format that an option asks for; the first of `formats` if none does. Never NULL. */
const struct output_format *options_format(const struct options *o);

#endif
