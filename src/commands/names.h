/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NAMES_H
#define SONDE_NAMES_H

#include "src/run/other_names.h"

/*
 * Runs the row's command line with the arguments behind argv[0]; without a command, says on stderr
 * what to use instead. Returns the exit status.
 */
int other_run(const struct other_name *o, int argc, char **argv);
/*
 * Runs a tool by its arguments; with an option that a tool of its own serves, as `biolatency
 * --stacks`, that tool. Returns the exit status.
 */
int tool_run(const struct tool *tool, int argc, char **argv);

#endif
