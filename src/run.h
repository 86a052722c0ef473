/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RUN_H
#define SONDE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/time/zone.h"
#include "src/filters/filters.h"
#include "src/guest.h"
#include "src/lib/options/options.h"
#include "src/plan.h"
#include "src/tool.h"
#include "compat/time/wall.h"

#define RUN_CONSTANTS 256

/* The run's times. They are ns of the engine's clock, if nothing else is said. */
struct run_time {
	uint64_t first;			/* the first record's; 0: there was none yet */
	struct {
		int64_t began, ended;	/* of the last interval; the next one begins at its end */
		int64_t clock;		/* its end, ns since the epoch */
	} interval;
	uint64_t stopped;		/* of the engine; later events are left out; 0: it runs */
	struct wall wall;
	struct zone zone;
};

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
	struct made_plan plan;
	struct unwinder unwinder;	/* of stacks of user space; a guest fills it in */
	struct filters filters;
	struct constant constants[RUN_CONSTANTS];	/* the options' and the tool's own */
	unsigned int n_constants;
	void *state;
	struct guests guests;
	struct run_time time;
	uint64_t untimed;			/* what tools counted by run_untimed() */
	bool ended;
	bool failed;
	struct error error;			/* of a callback that can't return one */
	/* a file that the command line names is wrong, not the command line: exit status 1 */
	bool unfit;
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

/* Has the plan a map of that name? Those that no program uses are dropped. */
bool run_map(const struct run *r, const char *map);

/* The tool's output to `file`; its engine is open. NULL: out of memory. */
struct output *run_output_new(struct run *r, FILE *file, const struct output_format *format);
/*
 * A record, which came through the plan's map `output`, goes to the tool or, if that has no
 * function for it, is shown by its columns. A record_fn.
 */
void run_record(void *run, unsigned int output, const void *bytes, uint32_t size);
/* The first interval begins now; the current one has ended now (CLOCK_MONOTONIC ns). */
void run_intervals_begin(struct run *r, int64_t now);
void run_interval_ended(struct run *r, int64_t now);
/* Events that were lost or missed since the call before, whose total is in *before. */
uint64_t run_newly_lost(const struct run *r, uint64_t *before);

#endif
