/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SESSION_H
#define SONDE_SESSION_H

#include "src/run/tool.h"

/* Runs a tool with its command line; argv[0] is its name. Returns the exit status. */
int session_main(const struct tool *t, int argc, char **argv);
/*
 * The same for a tool whose values go to the exporter (src/session/export_feed.h), and nothing to
 * stdout. `labels`: --label of `sonde export`; NULL: none.
 */
int session_export(const struct tool *t, int argc, char **argv, int to, const char *labels);

#endif
