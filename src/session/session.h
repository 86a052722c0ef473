/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SESSION_H
#define SONDE_SESSION_H

#include "src/run/tool.h"

/* Runs a tool with its command line; argv[0] is its name. Returns the exit status. */
int session_main(const struct tool *t, int argc, char **argv);

#endif
