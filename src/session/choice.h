/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CHOICE_H
#define SONDE_CHOICE_H

#include "compat/resolve/resolve.h"
#include "src/session/reasons.h"
#include "src/run.h"

/*
 * The first wanted engine that can serve the prepared run: its plan is made and attached
 * (r->backend, r->engine, r->plan). -1 and err: why none can.
 */
int choice_open(struct run *r, struct error *err);

/* The first target of the wanted engines whose plan can be made, shown instead of run. */
int choice_dump(struct run *r, struct error *err);

/*
 * Which engine this kernel would give a tool without options, and through which probes; or why
 * none. For `sonde features`: nothing is made in the kernel. tool_verdict_free() frees what is in
 * it.
 */
struct tool_verdict {
	const char *engine;	/* NULL: it can't run */
	/* what it is attached to and what is missing: names in it are the kernel's and the run's */
	struct resolution resolution;
	struct run *run;	/* made hooks of what the tool's user would name */
	struct reasons why;	/* not the engines before */
	char brief[900];	/* why it can't run, for people: a line */
};
int choice_verdict(const struct tool *t, struct kernel *k, struct tool_verdict *v);
void tool_verdict_free(struct tool_verdict *v);

#endif
