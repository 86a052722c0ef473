/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OPTIONS_INTERNAL_H
#define SONDE_OPTIONS_INTERNAL_H

#include "src/lib/options/options.h"

/* What the files of src/lib/options share. */

struct value {
	bool given;
	int64_t number;
	const char *text;
	char *joined;			/* what text points to if it was made here */
	int64_t *list;
	unsigned int n;
};

struct options {
	struct option_source source;
	unsigned int n;
	struct option_row *rows;
	struct value *values;		/* one a row */
	char *const *words;		/* the command line, from the tool's name on */
	char *const *command;
	struct constant *constants;
};

/* The walk along a command line. */
struct parser {
	struct options *o;
	char **next;			/* the argument to read next */
	unsigned int n_positionals;
	bool options_end;		/* -- was seen */
	/* the argument behind an option that was given without its optional value */
	const char *alone, *alone_name;
	enum options_action action;
	struct error *err;
};

/* An option as it was given: the row, how the user spelled it, its value. */
struct given {
	unsigned int row;
	const char *spelled;
	const char *value;
};

/* Says what is wrong, and ends the walk; returns -1. */
#define usage(P, ...) \
	((P)->action = ACTION_USAGE_ERROR, options_refuse((P)->o, (P)->err, __VA_ARGS__))

/* A decimal number of exactly these bytes; false: it is none. */
bool read_number(const char *s, size_t length, int64_t *v);
/* The value of an option that takes one; -1: usage() said why not. */
int take_value(struct parser *p, const struct given *g);
/* Reads all words, until one ends it (--help); -1: usage() said what is wrong. */
int options_walk(struct parser *p);

#endif
