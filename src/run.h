/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RUN_H
#define SONDE_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

#include "backends/tracefs/detachers.h"
#include "compat/time/zone.h"
#include "src/child.h"
#include "src/filters.h"
#include "src/guest.h"
#include "src/lib/options/options.h"
#include "src/plan.h"
#include "src/tool.h"
#include "compat/time/wall.h"

#define RUN_CONSTANTS 256

/* One run of a tool: what session.c drives and the functions of tool.h look into. */
struct run {
	const struct tool *tool;
	const struct program_set *programs;	/* the tool's, or those prepare() made */
	const struct column *columns;
	struct options *options;
	struct output *output;
	struct kernel *kernel;
	const struct backend *backend;
	struct engine *engine;
	struct local_clock *clock;	/* of rings that have no other; NULL: they have */
	struct detachers detachers;
	int starting;			/* until it traces, detachers of sondes rest; -1: it does */
	struct semaphores *semaphores;	/* of probes in programs (USDT); NULL: none is kept */
	struct made_plan plan;
	struct unwinder unwinder;	/* of stacks of user space (stacks_unwinder()) */
	struct filters filters;
	struct constant constants[RUN_CONSTANTS];	/* the options' and the tool's own */
	unsigned int n_constants;
	void *state;
	const char *name;			/* of tasks that --name asks for; NULL: of any */
	uint64_t first;				/* time of the first record; 0: none yet */
	struct wall wall;
	struct zone zone;
	int64_t interval_clock;
	int64_t interval_began, interval_length;	/* CLOCK_MONOTONIC */
	uint64_t stopped;			/* when the engine was; what is later is left out */
	uint64_t untimed;			/* what tools counted by run_untimed() */
	bool ended;
	bool gone;				/* nobody reads our output any more */
	struct error error;			/* of a callback that can't return one */
	bool failed;
	/* what went wrong is the command line: exit status 2 */
	bool misused;
	bool unfit;				/* no, it is a file that the command line names */
	char *const *argv;			/* the command line, of the tool's name on */
	void *guests[GUESTS];			/* their states (run_guest()) */
	struct rlimit files;			/* of open ones, before we asked for more */
	bool huge_pages;			/* for this process too, before we asked for none */
	struct child child;			/* --exec: the command */
};

/*
 * Reads options, prepares the tool, and collects the constants its programs see. -1 and err on
 * failure.
 */
int run_prepare(struct run *r, struct error *err);
struct plan_request run_request(const struct run *r);
void run_free(struct run *r);

/* Is an option, or a constant of the tool's own, set? For columns; arg: the run. */
bool run_shown(void *arg, const char *name);

/* The tool's output to `file`; its engine is open. NULL: out of memory. */
struct output *run_output_new(struct run *r, FILE *file, const struct output_format *format);
/*
 * A record, which came through the plan's map `output`, goes to the tool or, if that has no
 * function for it, is shown by its columns. A record_fn.
 */
void run_record(void *run, unsigned int output, const void *bytes, uint32_t size);
/* Events that were lost or missed since the call before, whose total is in *before. */
uint64_t run_newly_lost(const struct run *r, uint64_t *before);

#endif
