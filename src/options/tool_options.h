/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TOOL_OPTIONS_H
#define SONDE_TOOL_OPTIONS_H

#include <stdio.h>

#include "src/lib/options/options.h"
#include "src/lib/options/options_rows.h"
#include "src/tool.h"

/*
 * The options of a tool: its own and the common ones, which of them it serves, and which go
 * together. src/lib/options reads them.
 */

/* As options_parse(). It also refuses options that the tool does not serve. */
enum options_action tool_options(const struct tool *t, int argc, char **argv, struct options **out,
				 struct error *err);

/* As option_rows(): the caller frees. */
struct option_row *tool_option_rows(const struct tool *t, unsigned int *n);

/*
 * Would this option do anything? Filters by task are served by programs with FILTER in them, --name
 * by tools that print an event a line, --heatmap by those that print histograms; a tool's own row
 * by the tool.
 */
bool option_served(const struct tool *t, const struct option_row *row);
/* Why the tool does not serve it: "this tool shows no stacks". */
const char *option_not_served(const struct tool *t, const struct option_row *row);
/* Does the tool have a map of stacks? */
bool tool_has_stacks(const struct tool *t);

/*
 * --help of a tool: no wider than the terminal and 100 columns, and where the tool's tables allow
 * it no longer than its screen, or 24 lines.
 */
void options_help(const struct tool *t, FILE *file);

#endif
