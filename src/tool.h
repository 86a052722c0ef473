/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TOOL_H
#define SONDE_TOOL_H

#include <stddef.h>
#include <stdint.h>

#include "backends/backend.h"
#include "compat/base/error.h"
#include "compat/time/date.h"
#include "insns/program.h"
#include "src/lib/options/option.h"
#include "src/lib/output/output.h"

/*
 * The contract of a tool: it declares what it is called, what can be asked of it, which programs it
 * runs and what it shows; everything else (help, filters, engines, intervals, formats, signals,
 * losses) is the session's.
 */

struct run;				/* one run of a tool; src/session/session.c */

/* What a program handed over; valid during record(). */
struct record {
	const struct map *output;	/* through which it came */
	/* what is in it: the output's, or one of its kinds */
	const struct record_layout *layout;
	const void *bytes;		/* as many as the layout says at least */
	uint32_t size;
};

enum tool_shape {
	SHAPE_EVENTS,			/* a row an event: record() */
	SHAPE_INTERVALS,		/* summaries: interval(), at each interval and at the end */
};

struct example {
	const char *command, *text;
};

/*
 * A map by stacks. Its key has fields `kernel_stack`, `user_stack` or both, and may have `tgid`,
 * `tid` and `comm`: whose stacks they are. Without `tgid` addresses of user space have no names.
 * The same behind `waker_` is of who woke that task; then its own stacks may be missing.
 */
struct tool_stacks {
	const char *map;
	/* the first is that of folded stacks, pictures and the order; ends with an empty row */
	struct {
		const char *unit;	/* "samples", "us" */
		const char *field;	/* of the map's value; NULL: that is one u64 */
		uint32_t divisor;	/* ns by 1000 for "us"; 0: 1 */
	} values[STACK_VALUES + 1];
	bool off_cpu;			/* of time that is not spent on a CPU: --flame shows it */
	/*
	 * Of what the tool adds itself, where that is not the map's. A key may have a `time`: the
	 * process was one program then. NULL: the map's.
	 */
	const struct record_layout *key, *value;
	/* values are what there is, not what was added: a picture has those of the end */
	bool state;
	const char *most;		/* an option: only so many; NULL: all */
};

struct tool {
	const char *name;
	const char *group;		/* one of src/registry.awk: "files", "processes" ... */
	/*
	 * It needs to be told what it traces: what those ask of it who ask in general, `sonde
	 * features` and tests; NULL: it can do without.
	 */
	const char *asks;
	/* what else can be asked of it, which needs probes of user space only; NULL: nothing */
	const char *also;
	const char *summary;		/* one line: "trace open() calls: who opens which file" */
	/* text's first line: "Tracing ... Hit Ctrl-C to end."; NULL: none */
	const char *banner;
	enum tool_shape shape;
	/* SHAPE_INTERVALS: 2: [interval [count]]; SHAPE_EVENTS: 0 */
	unsigned int positionals;
	int64_t interval;		/* initial interval in seconds; 0: once, at the end */
	const struct program_set *programs;
	const struct option *options;	/* ends with an empty row */
	const struct column *columns;	/* ends with an empty row; NULL: only histograms */
	/*
	 * What a row has of records, keys and values, whose fields columns name; ends with an empty
	 * row. The first is the record's. A row of a tool without record() is the record itself.
	 */
	const struct part *parts;
	/*
	 * Tools without columns print histograms, and have --heatmap for it. One that has columns
	 * too names the option with which it prints histograms instead, or with a `!` in front the
	 * one with which it does not: at interval_end(), also of a SHAPE_EVENTS, whose intervals
	 * are those of an option `interval` of its own.
	 */
	const char *distribution;
	/*
	 * It has an option `heatmap` of its own: of when within each second something happened,
	 * by heat_second() (src/toolkit/heat.h).
	 */
	bool seconds;
	/* What it counted by stacks, which the session shows at the end of each interval. */
	const struct tool_stacks *stacks;
	/* rows come below run_table_head(), a table an interval, not one for all */
	bool tables;
	const char *notes;		/* what --help says below the options; NULL: nothing */
	const struct example *examples;	/* ends with an empty row; two */
	size_t state_size;		/* of the tool's own state: zeroed memory, run_state() */

	/*
	 * It prints what there is, and traces nothing: called instead of an engine. Of the common
	 * options it has those of formats.
	 */
	int (*list)(struct run *r, struct error *err);

	/* All optional. Return 0, or -1 with err set. */
	/*
	 * Options are read: check and derive; before the kernel. With run_end() that was all there
	 * is to do.
	 */
	int (*prepare)(struct run *r, struct error *err);
	/* the engine is attached: fill tables */
	int (*started)(struct run *r, struct error *err);
	void (*record)(struct run *r, const struct record *record);
	/* marks the numbers of stacks that it keeps from records */
	void (*held)(struct run *r, struct stack_marks *marks);
	int (*interval_end)(struct run *r, struct error *err);	/* take maps, print */
	/* after the last record: print what is left */
	void (*finish)(struct run *r);
	void (*cleanup)(struct run *r);				/* free what state points to */
};

/*
 * A tool's registration, in its file and at the beginning of a line: src/registry.awk reads it, and
 * the tables of the binary, completion, the links of `make install` and the lists of README.md and
 * the manual come out of it. NAME, group and summary are the first three members; what follows are
 * others of struct tool. VARIANT: lists have it beside OF.
 */
#define TOOL(NAME, GROUP, SUMMARY, ...) \
	const struct tool tool_##NAME = { .name = #NAME, .group = GROUP, .summary = SUMMARY, \
					  __VA_ARGS__ }
#define VARIANT(NAME, OF, GROUP, SUMMARY, ...) TOOL(NAME, GROUP, SUMMARY, __VA_ARGS__)

void *run_state(struct run *r);
const struct options *run_options(const struct run *r);
struct output *run_output(const struct run *r);
struct kernel *run_kernel(const struct run *r);

/*
 * A number programs see as CONST(name) or JUMP_UNLESS(name), and columns as `option`, beside the
 * options. For prepare().
 */
void run_constant(struct run *r, const char *name, int64_t value);
/*
 * What this run has instead of the tool's own programs (with their hooks and maps) or columns, of
 * the same types and made at run time. For prepare(); they stay the tool's, until cleanup().
 */
void run_programs(struct run *r, const struct program_set *programs);
void run_columns(struct run *r, const struct column *columns);
/*
 * The user named the files, by commas, that are LIBRARY (compat/binaries/binaries.h), each with one
 * of these functions; "": there is none. For prepare(); NULL: the user did not.
 */
int run_binaries(struct run *r, const char *library, const char *list,
		 const char *const *functions, struct error *err);
/* True unless the alternative chosen for `hook` lacks `input` (then its column shows nothing). */
bool run_has_input(const struct run *r, const char *hook, const char *input);
/*
 * True if the program(s) on this hook are attached: false for an optional one this kernel can't
 * serve.
 */
bool run_has_hook(const struct run *r, const char *hook);

/* A line on stderr: what the tool can't show on this kernel, or shows otherwise. For started(). */
void run_note(const struct run *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Are the ids in records those of sonde's own /proc? Not if it runs in a pid namespace of its own.
 */
bool run_ids_are_procs(const struct run *r);

/* What is in the keys of a map; NULL: there is no such map, or it does not tell. */
const struct record_layout *run_key(const struct run *r, const char *map);
/* Maps by name; semantics in backends/backend.h. */
int run_take(struct run *r, const char *map, entry_fn entry, void *arg, struct error *err);
int run_set(struct run *r, const char *map, const void *key, const void *value, struct error *err);
int run_get(struct run *r, const char *map, const void *key, void *value);

/*
 * A record came, of the tool's first part: has its task the name that --name asks for? Its time is
 * the first one's.
 */
bool run_wanted(struct run *r, const void *record);

/* Time of a record (its first u64) as ns since the run began, or since the epoch. */
int64_t run_since_start(struct run *r, uint64_t time);
int64_t run_wall_clock(struct run *r, uint64_t time);
/* Local time of such a moment. */
struct date run_local(const struct run *r, int64_t ns);
/* End of the current interval, ns since the epoch. */
int64_t run_interval_clock(const struct run *r);
/* Its beginning, CLOCK_MONOTONIC ns; for interval_end(). */
int64_t run_interval_began(const struct run *r);
/* Its length, ns. */
int64_t run_interval_length(const struct run *r);
/*
 * What text shows before an interval's histograms: an empty line, and the time of day if
 * --timestamp asks for it.
 */
void run_interval_head(struct run *r);
/* The same above an interval's table, and its heads. */
void run_table_head(struct run *r);
/*
 * So many more were seen whose beginning and end can't be told from those of others: said with the
 * losses.
 */
void run_untimed(struct run *r, uint64_t n);
/* The tool has printed what it was to print (--max-events and the like): end as if by Ctrl-C. */
void run_end(struct run *r);
/* Of functions that can't return an error: the run ends, and says the first that there was. */
void run_fail(struct run *r, const struct error *err);
/* What is wrong is a file that the command line names, not the command line: exit status 1. */
void run_unfit(struct run *r);
/* CLOCK_MONOTONIC ns when the engine was stopped; 0: it runs. */
uint64_t run_stopped(const struct run *r);
/* What the engine saw and lost until now. */
struct engine_stats run_stats(const struct run *r);
/* The tool's name, as the user gave it. */
const char *run_name(const struct run *r);
/* What the engine is attached to, and which alternatives were chosen; NULL before. */
const struct plan *run_plan(const struct run *r);
const struct resolution *run_resolution(const struct run *r);

extern const struct tool *const tools[];	/* of all registrations; NULL-terminated */
const struct tool *tool_named(const char *name);	/* NULL if there is none of that name */

#endif
