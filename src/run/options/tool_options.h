/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TOOL_OPTIONS_H
#define SONDE_TOOL_OPTIONS_H

#include <stdio.h>

#include "src/lib/options/options.h"
#include "src/lib/options/options_rows.h"
#include "src/run/tool.h"

/*
 * The options of a tool: its own and the common ones, which common options do something for the
 * tool, and which options go together. src/lib/options reads the command line.
 */

/* As options_parse(). It also refuses options that the tool does not serve. */
enum options_action tool_options(const struct tool *t, int argc, char **argv, struct options **out,
				 struct error *err);

/* All rows of a tool's command line, as option_rows(). The caller frees. */
struct option_row *tool_option_rows(const struct tool *t, unsigned int *n);

/*
 * Returns true if the option does something for this tool. Task filters need programs with FILTER,
 * --name a tool with a line for each event, --heatmap a tool with histograms. A tool serves all its
 * own rows.
 */
bool option_served(const struct tool *t, const struct option_row *row);
/* Why the option does nothing for this tool, and what does instead. */
const char *option_not_served(const struct tool *t, const struct option_row *row);
/* Returns true if each line of the tool is of an event, with the process that acts. */
bool tool_shows_tasks(const struct tool *t);
/* Returns true if the tool has a map of stacks. */
bool tool_has_stacks(const struct tool *t);

/*
 * Prints --help of a tool, at most as wide as the terminal and 100 columns. It is no longer than
 * the screen, or 24 lines, if the tool's tables are short enough.
 */
void options_help(const struct tool *t, FILE *file);

#endif
