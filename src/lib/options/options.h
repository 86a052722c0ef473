/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OPTIONS_H
#define SONDE_OPTIONS_H

#include "compat/base/error.h"
#include "insns/program.h"
#include "src/lib/options/options_rows.h"

/* What the command line asks for. */
enum options_action { ACTION_RUN, ACTION_HELP, ACTION_VERSION, ACTION_USAGE_ERROR };

/*
 * Parses a command line: a tool's own options, common options, and the positionals ([interval
 * [count]]; they become the values "interval" and "count"). As in bcc, letters may be joined (-mT),
 * a value may follow its letter directly (-p181), and options may follow positionals. For
 * ACTION_USAGE_ERROR err has the mistake and the usage. For ACTION_RUN *out has the values; the
 * caller frees them with options_free(). For all other actions *out is NULL.
 */
enum options_action options_parse(const struct option_source *s, int argc, char **argv,
				  struct options **out, struct error *err);
void options_free(struct options *o);
/* The values that own rows and common rows name members for, as structs; owned by o. */
const void *options_asked(const struct options *o);
const void *options_common(const struct options *o);

/*
 * Values by long name, for tables whose rows are for an option each: a unit test knows these
 * tables, and that there are such options. All else reads members. If the option was not given:
 * `initial`, NULL, and an empty list.
 */
int64_t option_number(const struct options *o, const char *name);
const char *option_text(const struct options *o, const char *name);
const int64_t *option_list(const struct options *o, const char *name, unsigned int *n);
/* Returns true if the option is on the command line. */
bool option_given(const struct options *o, const char *name);

/* The parsed command line, from the tool's name on; it ends with NULL and is owned by o. */
char *const *options_words(const struct options *o);

/* Writes a mistake and the usage to err, as options_parse() does. Returns -1. */
int options_refuse(const struct options *o, struct error *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* All rows that the command line was parsed with, *n of them; owned by o. */
const struct option_row *options_rows(const struct options *o, unsigned int *n);

/* The values as constants for CONST and JUMP_UNLESS; ends with an empty row; owned by o. */
const struct constant *options_constants(struct options *o);

#endif
