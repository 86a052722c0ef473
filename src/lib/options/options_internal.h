/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OPTIONS_INTERNAL_H
#define SONDE_OPTIONS_INTERNAL_H

#include "src/lib/options/options.h"

/* What the files of src/lib/options share. */

/* The value of a row. */
struct value {
	bool given;			/* the option is on the command line */
	int64_t number;
	const char *text;
	char *joined;			/* memory of `text` if it was allocated, else NULL */
	int64_t *list;
	unsigned int n;			/* numbers in `list` */
};

struct options {
	struct option_source source;
	unsigned int n;			/* rows */
	struct option_row *rows;
	struct value *values;		/* one for each row */
	char *const *words;		/* the command line, from the tool's name on */
	char *const *command;		/* of OPTION_COMMAND; NULL: none */
	void *asked, *common;		/* the structs of the source, filled */
	struct constant *constants;	/* made by options_constants(); NULL: not yet */
};

/* The walk along a command line. */
struct parser {
	struct options *o;
	char **next;			/* the argument to read next */
	unsigned int n_positionals;	/* positionals read so far */
	bool options_end;		/* -- was read */
	/* the argument behind an option given without its optional value, and the option's name */
	const char *alone, *alone_name;
	char alone_letter;		/* how it was given; 0: by its name */
	enum options_action action;
	struct error *err;
};

/* An option on the command line: its row, how the user spelled it, its value. */
struct given {
	unsigned int row;
	const char *spelled;
	const char *value;
};

/* Writes the mistake to err and ends the walk. Returns -1. */
#define usage(P, ...) \
	((P)->action = ACTION_USAGE_ERROR, options_refuse((P)->o, (P)->err, __VA_ARGS__))

/* Reads a decimal number of exactly `length` bytes. Returns false if they are no number. */
bool read_number(const char *s, size_t length, int64_t *v);
/* The number of an option: the one that was given, or `initial`; of others 1 if it was given. */
int64_t number_of(const struct option *option, const struct value *value);
/* Fills o->asked and o->common. */
void fill_members(const struct options *o);
/* Stores the value of an option. Returns -1 after usage(). */
int take_value(struct parser *p, const struct given *g);
/* Reads all words, or all up to an option that ends the walk (--help). Returns -1 after usage(). */
int options_walk(struct parser *p);

#endif
