/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TOOL_H
#define SONDE_TOOL_H

#include <stddef.h>
#include <stdint.h>

#include "backends/backend.h"
#include "compat/base/error.h"
#include "compat/containers/container_path.h"
#include "compat/time/date.h"
#include "insns/program.h"
#include "src/lib/options/option.h"
#include "src/lib/output/output.h"

/*
 * The contract of a tool: it declares its name, its options, the programs it runs, and what it
 * shows. The session does everything else: help, filters, engines, intervals, formats, signals,
 * losses.
 */

struct run;				/* one run of a tool: src/run/run.h */

/* A record that a program wrote; valid during record(). */
struct record {
	const struct map *output;	/* the map that it came through */
	/* the layout of its bytes: the map's, or one of the map's kinds */
	const struct record_layout *layout;
	const void *bytes;		/* at least as many as the layout has */
	uint32_t size;			/* number of bytes */
};

enum tool_shape {
	SHAPE_EVENTS,			/* a row for each event: record() */
	/* summaries: interval_end(), for each interval and at the end */
	SHAPE_INTERVALS,
};

struct example {
	const char *command, *text;
};

/*
 * Requests of io_uring that do what a tool shows. They go around the system calls. Where the tool
 * does not see them they are counted, and the end of the run says how many it did not show.
 */
struct tool_requests {
	uint64_t opcodes;		/* a bit for each IORING_OP_* */
	const char *what;		/* "opens" */
	/* if this hook's alternative sees requests, the tool shows them; NULL: it never does */
	const char *hook;
	/* the tool shows such events with this option only; NULL: always */
	const char *option;
};
/* The bit of a request, by its number in <linux/io_uring.h>, which older headers lack. */
enum {
	REQUEST_READV = 1, REQUEST_WRITEV, REQUEST_FSYNC, REQUEST_READ_FIXED, REQUEST_WRITE_FIXED,
	REQUEST_OPENAT = 18, REQUEST_STATX = 21, REQUEST_READ, REQUEST_WRITE,
	REQUEST_OPENAT2 = 28, REQUEST_SPLICE = 30, REQUEST_RENAMEAT = 35, REQUEST_UNLINKAT,
	REQUEST_READ_MULTISHOT = 49, REQUEST_BIND = 56,
	REQUEST_READV_FIXED = 60, REQUEST_WRITEV_FIXED,
};
#define REQUEST(NAME)	(1ULL << REQUEST_##NAME)
#define REQUESTS_READ \
	(REQUEST(READV) | REQUEST(READ_FIXED) | REQUEST(READ) | REQUEST(READ_MULTISHOT) | \
	 REQUEST(READV_FIXED))
#define REQUESTS_WRITE \
	(REQUEST(WRITEV) | REQUEST(WRITE_FIXED) | REQUEST(WRITE) | REQUEST(WRITEV_FIXED))

/*
 * A map with counts by stack. Its key has fields `kernel_stack`, `user_stack` or both, and may have
 * `tgid`, `tid` and `comm` of the task, and, of tools with --by-cgroup, its `whose` as `owner`.
 * Without `tgid` addresses of user space have no names. The same fields with the prefix `waker_`
 * are of the task that woke this one; then the task's own stacks may be missing.
 */
struct tool_stacks {
	const char *map;
	/* ends with an empty row; folded stacks, pictures and the order use the first value */
	struct {
		const char *unit;	/* "samples", "us" */
		const char *field;	/* of the map's value; NULL: the value is one u64 */
		uint32_t divisor;	/* ns by 1000 for "us"; 0: 1 */
	} values[STACK_VALUES + 1];
	bool off_cpu;			/* values are time off CPUs: --flame uses other colours */
	/*
	 * Layouts of the keys and values that the tool adds by itself; NULL: the map's. A key may
	 * have a `time`, at which the process ran the program that the addresses are of.
	 */
	const struct record_layout *key, *value;
	/* values are totals, not increments: pictures show only the last ones, --top is refused */
	bool state;
	const char *most;		/* option with the number of stacks to show; NULL: all */
};

/*
 * For kernels on which no engine can run the tool's programs: others, which show less. They are
 * tried when all engines have refused the tool's own, also those that the user did not ask for.
 */
struct tool_last_resort {
	const struct program_set *programs;
	const char *const *lacks;	/* what is then missing: "failures"; ends with NULL */
	const char *const *options;	/* the options that need it; ends with NULL */
};

struct tool {
	const char *name;
	const char *group;		/* one of src/run/registry.awk: "files", "processes" ... */
	/*
	 * The tool requires an argument: an example of it, which --help shows, and which `sonde
	 * features` and tests try. NULL: it requires none.
	 */
	const char *asks;
	/* what the tool can trace with probes of user space alone; NULL: nothing */
	const char *also;
	/* an argument like `asks` that needs a tracepoint alone; NULL: it takes none */
	const char *asks_tracepoint;
	const char *summary;		/* one line: "trace open() calls: who opens which file" */
	/* first line of text: "Tracing ... Hit Ctrl-C to end."; NULL: none */
	const char *banner;
	enum tool_shape shape;
	/* SHAPE_INTERVALS: 2: [interval [count]]; SHAPE_EVENTS: 0 */
	unsigned int positionals;
	int64_t interval;		/* initial interval in seconds; 0: one, up to the end */
	const struct program_set *programs;
	const struct tool_last_resort *last_resort;	/* NULL: none */
	const struct option *options;	/* ends with an empty row */
	size_t options_size;		/* of the struct that they name members of: run_asked() */
	const struct column *columns;	/* ends with an empty row; NULL: only histograms */
	/*
	 * The records, keys and values in a row, whose fields columns may name; ends with an empty
	 * row. The first part is the record. If the tool has no record(), a row is the record.
	 */
	const struct part *parts;
	/*
	 * Tools without columns print histograms and have --heatmap. A tool with columns names here
	 * the option with which it prints histograms instead; behind a `!` in front, the option
	 * with which it does not. interval_end() prints them, also for SHAPE_EVENTS; the intervals
	 * are then those of the tool's own option `interval`.
	 */
	const char *distribution;
	/*
	 * The tool has its own option `heatmap`, which shows when within each second events
	 * happened (heat_second() of src/toolkit/heat.h).
	 */
	bool seconds;
	/* counts by stack, which the session shows at the end of each interval; NULL: none */
	const struct tool_stacks *stacks;
	/* each interval has a table with a head of its own: run_table_head() */
	bool tables;
	/* what it shows can be asked of io_uring as well; no opcodes: it can't */
	struct tool_requests requests;
	const char *notes;		/* text below the options in --help; NULL: none */
	const struct example *examples;	/* two; ends with an empty row */
	/* bytes of the tool's state: run_state(), zeroed at first */
	size_t state_size;

	/*
	 * The tool lists something and traces nothing: called instead of opening an engine. Of the
	 * common options the tool has the formats'.
	 */
	int (*list)(struct run *r, struct error *err);

	/* All functions below are optional. They return 0, or -1 with err set. */

	/*
	 * After the options are read, before the kernel is used: checks and derives. If it calls
	 * run_end(), the run ends here.
	 */
	int (*prepare)(struct run *r, struct error *err);
	/* after the engine is opened, before any program's event counts: fills maps, prints */
	int (*opened)(struct run *r, struct error *err);
	/* after the engine is attached: fills maps */
	int (*started)(struct run *r, struct error *err);
	void (*record)(struct run *r, const struct record *record);
	/* marks the numbers of stacks that the tool has kept from records */
	void (*held)(struct run *r, struct stack_marks *marks);
	int (*interval_end)(struct run *r, struct error *err);	/* takes maps, prints */
	/*
	 * Does what is due at `now` (ns of the engine's clock), at first nothing. Returns the time
	 * at which it is to be called again; INT64_MAX: never.
	 */
	int64_t (*due)(struct run *r, int64_t now);
	/* after the last record: prints the rest */
	void (*finish)(struct run *r);
	/*
	 * For `sonde export`, every few seconds: adds to run_metrics() what is not there yet. NULL:
	 * the tool's rows and histograms are its metrics.
	 */
	int (*metrics)(struct run *r, struct error *err);
	/* frees memory that the state has */
	void (*cleanup)(struct run *r);
};

/*
 * A tool's registration, at the beginning of a line in its file. src/run/registry.awk reads it and
 * makes the tables of the binary, completion, the links of `make install`, and the lists of
 * README.md and the manual. NAME, group and summary are the first three members; other members of
 * struct tool follow. VARIANT: lists show the tool beside OF.
 */
#define TOOL(NAME, GROUP, SUMMARY, ...) \
	const struct tool tool_##NAME = { .name = #NAME, .group = GROUP, .summary = SUMMARY, \
					  __VA_ARGS__ }
#define VARIANT(NAME, OF, GROUP, SUMMARY, ...) TOOL(NAME, GROUP, SUMMARY, __VA_ARGS__)

/* The tool's state, the options, where rows go, the kernel: valid for the whole run. */
void *run_state(struct run *r);
const struct options *run_options(const struct run *r);
/* The values of the tool's own options: the struct that its rows name members of. */
const void *run_asked(const struct run *r);
struct output *run_output(const struct run *r);
struct kernel *run_kernel(const struct run *r);

/*
 * Returns true if the user asked for some tasks by a filter (--pid to --mntnsmap), and not for all.
 * Programs ask JUMP_UNLESS("filtered"). --name is no such filter: run_wanted().
 */
bool run_filtered(const struct run *r);

/*
 * Returns true if histograms are for `sonde export`: programs count values as they are, not in the
 * user's unit, in slots that end with their bounds, and have their sums (insns/hist.h).
 */
bool run_is_exact(const struct run *r);

/* What an exported run adds to; NULL: the run is not exported. */
struct metrics *run_metrics(const struct run *r);

/*
 * Adds a number that programs use as CONST(name) or JUMP_UNLESS(name), and columns as `option`,
 * like the options. For prepare().
 */
void run_constant(struct run *r, const char *name, int64_t value);
/*
 * Replace the tool's programs (with their hooks and maps) or columns by others made at run time.
 * For prepare(). The tool owns them, and keeps them until cleanup().
 */
void run_programs(struct run *r, const struct program_set *programs);
void run_columns(struct run *r, const struct column *columns);
/*
 * Adds the files that LIBRARY means in this run (compat/binaries/binaries.h), as the user listed
 * them, with commas; each must have one of these functions. "": no files. NULL: the user gave no
 * list, and nothing is added. For prepare(). Returns -1 and sets err if a file can't be used.
 */
int run_binaries(struct run *r, const char *library, const char *list,
		 const char *const *functions, struct error *err);
/* Returns false if the alternative chosen for `hook` lacks `input`: its column has no values. */
bool run_has_input(const struct run *r, const char *hook, const char *input);
/*
 * Returns true if the programs on this hook are attached; false for an optional hook that is
 * unavailable on this kernel.
 */
bool run_has_hook(const struct run *r, const char *hook);

/*
 * Prints a line on stderr: what the tool can't show on this kernel, or shows otherwise. For
 * started().
 */
void run_note(const struct run *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * How a container of this machine is called, for --by-cgroup: see container_title(). Returns NULL
 * if events are another machine's.
 */
const char *run_container_title(const struct run *r, const struct container_path *c);
/* Returns true if events are this machine's. Of others (--input) /proc and /sys know nothing. */
bool run_is_live(const struct run *r);
/* Returns true if events are those of a recording, and not of a text with records. */
bool run_is_recorded(const struct run *r);
struct recorded_disk;
/* recorded_disk() of the recording, if there is one. */
const struct recorded_disk *run_recorded_disk(const struct run *r, uint64_t number,
					      const char *name);
/* A task that a recording (--input) tells of from before its first event. */
struct run_task {
	uint32_t tid, pid;
	uint32_t ppid;			/* 0: unknown, or a thread that is not the first */
	uint64_t began;			/* in times of records; 0: unknown */
};
void run_each_recorded(const struct run *r, void (*each)(void *arg, const struct run_task *task),
		       void *arg);
/*
 * Returns true if process ids in records are those of /proc. They are not if sonde runs in a pid
 * namespace other than the first, or if the events are another machine's.
 */
bool run_ids_are_procs(const struct run *r);
/* The layout of a map's keys. Returns NULL if there is no such map, or if it has no layout. */
const struct record_layout *run_key(const struct run *r, const char *map);
/* Take, set and get entries of a map by its name: see take, set and get in backends/backend.h. */
int run_take(struct run *r, const char *map, entry_fn entry, void *arg, struct error *err);
/* Takes an array of n counts, which are 8 bytes each; those that are 0 stay as they were. */
int run_take_counts(struct run *r, const char *map, int64_t *counts, uint32_t n,
		    struct error *err);
int run_set(struct run *r, const char *map, const void *key, const void *value, struct error *err);
/*
 * As add() there: adds the first u64 of the value to that of an entry, or makes one with the value.
 * Returns 1 if it made one, 0 if not; -1 and sets err on failure.
 */
int run_add(struct run *r, const char *map, const void *key, const void *value, struct error *err);
int run_get(struct run *r, const char *map, const void *key, void *value);
/*
 * Goes through the items of the iterator on this hook, and hands over the records of its program,
 * until run_end(). The engine has started. Returns -1 and sets err on failure.
 */
int run_walk(struct run *r, const char *hook, struct error *err);

/*
 * For records that are the tool's first part: returns true if the task has the name of --name, or
 * if that option was not given. The first call sets the time that rows count from.
 */
bool run_wanted(struct run *r, const void *record);

/* Converts the time of a record (its first u64) to ns since the run began, or since the epoch. */
int64_t run_since_start(struct run *r, uint64_t time);
int64_t run_wall_clock(struct run *r, uint64_t time);
/* Local date and time of ns since the epoch. */
struct date run_local(const struct run *r, int64_t ns);
/* End of the current interval, ns since the epoch. */
int64_t run_interval_clock(struct run *r);
/* Beginning of the current interval, ns of the engine's clock; for interval_end(). */
int64_t run_interval_began(const struct run *r);
/* Length of the current interval, ns. */
int64_t run_interval_length(const struct run *r);
/*
 * Prints what text has above an interval's histograms: an empty line and, with --timestamp, the
 * time of day.
 */
void run_interval_head(struct run *r);
/* The same above an interval's table, with the table's heads. */
void run_table_head(struct run *r);
/*
 * Adds n events without a time: they overlap with others, so that their beginnings and ends can't
 * be told apart. The end object reports them.
 */
void run_untimed(struct run *r, uint64_t n);
/* Tells that n texts of the rings that could not be read are known from another record. */
void run_read_again(struct run *r, uint64_t n);
/*
 * Runs a command beside the tool, from when events are traced; the run ends with it. For prepare().
 * The words stay until cleanup().
 */
void run_command(struct run *r, char *const *command);
/*
 * The id of the process that will run the command of --exec or run_command(), 0: there is none. For
 * prepare(). It is made now, and not when the probes are there. Returns -1 and sets err on failure.
 */
int run_command_process(struct run *r, struct error *err);
/* Ends the run as Ctrl-C does: the tool has printed enough (--max-events and the like). */
void run_end(struct run *r);
/* Of prepare(): the run shows its programs and ends, as with --dump. */
void run_dump(struct run *r);
/* Returns true if the run shows programs, and traces nothing. */
bool run_dumps(const struct run *r);
/* Sets the exit status of a run that ends without an error. */
void run_status(struct run *r, uint8_t status);
/* Ends the run with an error, for functions that can't return one. The first error is reported. */
void run_fail(struct run *r, const struct error *err);
/* The error is in a file that the command line names: the exit status is 1, without the usage. */
void run_unfit(struct run *r);
/* The same; and the error's text has a form of its own, which other programs read. */
void run_unfit_text(struct run *r);
/* The engine's time: ns of CLOCK_MONOTONIC, or how far a file of records was run. */
uint64_t run_now(const struct run *r);
/* The engine's time when it was stopped; 0: it runs. */
uint64_t run_stopped(const struct run *r);
/* The engine's counts of events seen and lost, so far. */
struct engine_stats run_stats(const struct run *r);
/* The tool's name. */
const char *run_name(const struct run *r);
/* What the engine is attached to, and which alternatives were chosen. NULL before it is opened. */
const struct plan *run_plan(const struct run *r);
const struct resolution *run_resolution(const struct run *r);

extern const struct tool *const tools[];	/* all registered tools; ends with NULL */
const struct tool *tool_named(const char *name);	/* NULL if there is none of that name */

#endif
