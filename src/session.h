/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SESSION_H
#define SONDE_SESSION_H

#include <stdbool.h>
#include <stdio.h>

#include "compat/resolve/resolve.h"
#include "src/reasons.h"
#include "src/tool.h"

/* Runs a tool with its command line (argv[0] is its name); the exit status. */
int session_main(const struct tool *t, int argc, char **argv);

/*
 * Which engine this kernel would give a tool without options, and through which probes; or why
 * none. For `sonde features`: nothing is made in the kernel. tool_verdict_free() frees what is in
 * it.
 */
struct tool_verdict {
	const char *engine;	/* NULL: it can't run */
	/* what it is attached to and what is missing; the kernel's */
	struct resolution resolution;
	struct reasons why;	/* not the engines before */
	char brief[900];	/* why it can't run, for people: a line */
};
int session_verdict(const struct tool *t, struct kernel *k, struct tool_verdict *v);
void tool_verdict_free(struct tool_verdict *v);

#endif
