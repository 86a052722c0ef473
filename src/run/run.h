/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RUN_H
#define SONDE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/time/wall.h"
#include "compat/time/zone.h"
#include "src/lib/options/options.h"
#include "src/run/child.h"
#include "src/run/filters/filters.h"
#include "src/run/run_listener.h"
#include "src/run/plan.h"
#include "src/run/tool.h"

#define RUN_CONSTANTS 256

/* The run's times, in ns of the engine's clock unless a comment says otherwise. */
struct run_time {
	uint64_t first;			/* of the first record; 0: none yet */
	struct {
		/* of the last interval; its end is the next one's beginning */
		int64_t began, ended;
		int64_t clock;		/* its end, ns since the epoch */
	} interval;
	uint64_t started;		/* the beginning of the first interval */
	/* the engine's stop: later events are left out; 0: it runs */
	uint64_t stopped;
	struct wall wall;		/* converts to ns since the epoch */
	bool shown;			/* a time of day was asked for */
	struct zone zone;		/* of local times */
};

/* How the run ends, by what the tool says. */
struct run_outcome {
	bool ended;			/* run_end() was called */
	bool dumps;			/* run_dump() was called */
	bool failed;			/* run_fail() was called */
	bool unfit;			/* run_unfit() was called: the exit status is 1 */
	bool own_text;			/* run_unfit_text() was called */
	uint8_t status;			/* exit status of a run without an error */
	struct error error;		/* of run_fail() */
};
struct export_feed;

/* One run of a tool: session.c drives it, and the functions of tool.h read it. */
struct run {
	const struct tool *tool;
	/* the tool's, those of run_programs(), or those of the last resort */
	const struct program_set *programs;
	const struct column *columns;
	struct options *options;
	struct output *output;
	struct kernel *kernel;
	const struct backend *backend;
	struct engine *engine;
	/* for rings without a clock of their own; NULL: not needed */
	struct local_clock *clock;
	struct made_plan plan;
	struct unwinder unwinder;	/* unwinds user stacks; a listener fills it in */
	struct filters filters;
	struct constant constants[RUN_CONSTANTS];	/* of the options and of run_constant() */
	unsigned int n_constants;
	char *const *command;			/* of run_command() */
	struct child child;			/* of --exec, or of `command` */
	void *state;				/* the tool's */
	struct run_listeners listeners;
	struct run_time time;
	uint64_t untimed;			/* sum of run_untimed() */
	uint64_t read_again;			/* sum of run_read_again() */
	bool live;				/* its events are this machine's */
	struct container_names *containers;	/* NULL: other machines' events, or not asked for */
	struct owners *owners;			/* whose rows are; NULL: not asked for */
	const struct recording *recording;	/* its events are of it; NULL: of none */
	struct export_feed *feed;		/* of `sonde export`; NULL: rows are shown */
	struct metrics *metrics;		/* of `feed`: rows are added there */
	struct run_outcome outcome;
};

/*
 * Reads options, prepares the tool, and collects the constants that its programs use. Returns -1
 * and sets err on failure.
 */
int run_prepare(struct run *r, struct error *err);
/* The plan that the run needs, for plan_make(). */
struct plan_request run_request(const struct run *r);
void run_free(struct run *r);

/* Returns true if an option or a constant of the tool is set. For columns; arg is the run. */
bool run_shown(void *arg, const char *name);

/*
 * run_set() for events from this time of the engine's clock on, where the engine can order both.
 */
int run_set_from(struct run *r, const char *map, const void *key, const void *value, uint64_t time,
		 struct error *err);

/* Returns true if the plan has a map of that name. Maps that no program uses are dropped. */
bool run_map(const struct run *r, const char *map);

/* The tool's output to `file`; its engine is open. Returns NULL if there is no memory. */
struct output *run_output_new(struct run *r, FILE *file, const struct output_format *format);
/*
 * Hands a record to the tool's record(). If the tool has none, its columns show the record.
 * `output` is the number of the map that it came through. A record_fn.
 */
void run_record(void *run, unsigned int output, const void *bytes, uint32_t size);
/* Looks at the clocks that tell the time of day of the engine's times. Now and then. */
void run_wall_look(struct run *r);
/* Begin the first interval, and end the current one, at `now` (ns of the engine's clock). */
void run_intervals_begin(struct run *r, int64_t now);
void run_interval_ended(struct run *r, int64_t now);
/* Events lost or missed since the call before. *before has the total of the call before. */
uint64_t run_newly_lost(const struct run *r, uint64_t *before);

#endif
