/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CHOICE_H
#define SONDE_CHOICE_H

#include "compat/resolve/resolve.h"
#include "src/run/run.h"
#include "src/session/reasons.h"
#include "src/session/source.h"

/*
 * Opens the first wanted engine of the source that can serve the prepared run: makes its plan and
 * attaches it (r->backend, r->engine, r->plan). Returns -1 and sets err to the reasons if no engine
 * can.
 */
int choice_open(struct run *r, const struct source *source, struct error *err);

/*
 * Makes the plan of the first wanted engine of the source that can make one, r->plan, and opens
 * nothing. Returns -1 and writes the reasons, one line, if none can.
 */
int choice_plan(struct run *r, const struct source *source, char *why, size_t size);

/* Prints the plan of the first wanted engine that can make one, instead of running it (--dump). */
int choice_dump(struct run *r, const struct source *source, struct error *err);

/*
 * Which engine of the source this kernel gives to a tool without options, and through which probes;
 * or why none. For `sonde features` and `sonde info`: nothing is made in the kernel.
 * tool_verdict_free() frees its memory.
 */
struct tool_verdict {
	const char *engine;	/* NULL: the tool can't run */
	/* the chosen probes and what is missing; its names belong to the kernel and the run */
	struct resolution resolution;
	struct run *run;	/* owns hooks made of the tool's example argument */
	struct reasons why;	/* why engines can't serve, from the first that is tried */
	char brief[900];	/* why the tool can't run: one line for people */
	char only[64];		/* without an engine: what it can trace nevertheless; "": nothing */
};
int choice_verdict(const struct tool *t, const struct source *source, struct kernel *k,
		   struct tool_verdict *v);
void tool_verdict_free(struct tool_verdict *v);

#endif
