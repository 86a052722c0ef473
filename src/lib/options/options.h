/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OPTIONS_H
#define SONDE_OPTIONS_H

#include "compat/base/error.h"
#include "insns/program.h"
#include "src/lib/options/options_rows.h"

/* What the command line asked for. */
enum options_action { ACTION_RUN, ACTION_HELP, ACTION_VERSION, ACTION_USAGE_ERROR };

/*
 * Parses a command line: own options, common ones, and the positionals ([interval [count]]; they
 * become the values "interval" and "count"). bcc's habits hold: letters may be joined (-mT), values
 * may follow directly (-p181), options may follow positionals. On ACTION_USAGE_ERROR err says what
 * is wrong and what the command line takes. On ACTION_RUN *out has the values, which the caller
 * frees with options_free(); on all others it is NULL.
 */
enum options_action options_parse(const struct option_source *s, int argc, char **argv,
				  struct options **out, struct error *err);
void options_free(struct options *o);
/* The command line that was parsed, from the tool's name on; ends with NULL. */
char *const *options_words(const struct options *o);

/* Says in err what is wrong with a command line, as options_parse() does; returns -1. */
int options_refuse(const struct options *o, struct error *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The rows that were asked; owned by o. */
const struct option_row *options_rows(const struct options *o, unsigned int *n);

/* The values as constants for CONST and JUMP_UNLESS; ends with an empty row; owned by o. */
const struct constant *options_constants(struct options *o);

#endif
