/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OPTIONS_H
#define SONDE_OPTIONS_H

#include "insns/program.h"
#include "src/tool.h"

/* What the command line asked for besides running the tool. */
enum options_action { ACTION_RUN, ACTION_HELP, ACTION_VERSION, ACTION_USAGE_ERROR };

/*
 * Parses a tool's command line: its own options, the common ones, and the positionals ([interval
 * [count]]; they become the values "interval" and "count"). bcc's habits hold: letters may be
 * joined (-mT), values may follow directly (-p181), options may follow positionals. On
 * ACTION_USAGE_ERROR err says what is wrong and what the tool takes. The caller frees with
 * options_free().
 */
enum options_action options_parse(const struct tool *t, int argc, char **argv,
				  struct options **out, struct error *err);
void options_free(struct options *o);
/* The command line that was parsed, from the tool's name on; ends with NULL. */
char *const *options_words(const struct options *o);

/*
 * --help of a tool: no wider than the terminal and 100 columns, and where the tool's tables allow
 * it no longer than its screen, or 24 lines.
 */
void options_help(const struct tool *t, FILE *file);

/* The values as constants for CONST and JUMP_UNLESS; ends with an empty row; owned by o. */
const struct constant *options_constants(struct options *o);

#endif
