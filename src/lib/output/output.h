/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OUTPUT_H
#define SONDE_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "compat/base/escape.h"
#include "compat/time/zone.h"
#include "insns/field.h"
#include "src/lib/output/columns/roles.h"
#include "src/lib/output/formats/formats.h"

/*
 * Everything that a tool prints on stdout goes through here: tables, histograms and stacks, in one
 * of the formats (formats.h). Text from traced programs is escaped (compat/base/escape.h).
 */

/* A missing value: `-` in text, null in JSON, an empty cell in CSV. */
#define NOTHING INT64_MIN

/* Bytes from a traced program; a NUL does not end them. s NULL: a missing value. Not owned. */
struct text {
	const char *s;
	uint32_t length;
	bool quoted;		/* backslashes are escapes already: text prints them unchanged */
	/* the text was longer: text shows "..." behind it, JSON has a member NAME_cut: true */
	bool cut;
	bool is_number;		/* decimal digits: a number in JSON */
};

struct address {
	uint16_t family;	/* AF_INET, AF_INET6; 0: a missing value */
	uint8_t bytes[16];
};

/* The type of the value at a column's offset, and how it is printed. */
enum column_type {
	COLUMN_INTEGER,		/* int64_t */
	COLUMN_OCTAL,		/* int64_t, at least `digits` octal digits */
	COLUMN_SECONDS,		/* int64_t ns, shown as seconds with `digits` decimals */
	/* int64_t ns since the epoch, HH:MM:SS local time with `digits` decimals; JSON: ISO 8601 */
	COLUMN_CLOCK,
	COLUMN_UTC,		/* as COLUMN_CLOCK, but UTC */
	COLUMN_REAL,		/* double with `digits` decimals and `suffix`; NAN: missing */
	COLUMN_TEXT,		/* struct text */
	COLUMN_ADDRESS,		/* struct address */
};

/* Which formats have a column, by the properties of struct output_format. */
enum column_readers {
	FOR_ALL,
	FOR_PEOPLE, FOR_MACHINES,	/* formats with `people`; formats without */
	/* all formats; those with `people` only if the column's option is set */
	FOR_ASKED,
	FOR_OBJECTS, FOR_TABLES,	/* formats with `objects`; formats without */
};

struct column {
	const char *head;	/* text and CSV: "LAT(ms)" */
	const char *name;	/* JSON: "lat_ms", with its unit */
	uint8_t type;		/* enum column_type */
	/* as in printf: negative: left-aligned; 0: no padding; wider values are never cut */
	int8_t width;
	uint16_t offset;	/* of the value in a row */
	uint8_t digits;
	int8_t wide;		/* the width with --wide; 0: the same */
	uint8_t readers;	/* enum column_readers */
	/* enum column_role, enum column_unit: what neither name nor type says (columns/roles.h) */
	uint8_t role : 3, unit : 5;
	const char *suffix;	/* text only: "%" */
	/*
	 * Name of a field (insns/field.h) in one of the row's parts, shown instead of the value at
	 * `offset`; `type` says how. A number is divided by `divisor` first: ns by 1000000 for
	 * "lat_ms". COLUMN_INTEGER rounds towards 0.
	 */
	const char *field;
	uint32_t divisor;	/* 0: 1 */
	uint8_t span;		/* enum column_span */
	/* a place, or how much there is now: rows' values are not to be added up */
	bool level;
	const char *option;	/* the column is shown only if this option is set ... */
	const char *unless;	/* ... and this one is not */
	const char *help;	/* the column's meaning for --help, one line */
};

/*
 * Slots of a histogram, as programs count them (LOG2 in insns/): values 0 to 7 have a slot each,
 * and every larger power of two has 8 slots. Text folds them to powers of two, as bcc prints them.
 */
#define HIST_SUB 8
#define HIST_SLOTS 496
/* The smallest and the largest value in a slot. */
uint64_t hist_slot_low(unsigned int slot);
uint64_t hist_slot_high(unsigned int slot);

struct hist {
	uint64_t slots[HIST_SLOTS];
};

/*
 * A part of a row whose fields columns may name: a record, a key or a value. The part is at
 * `offset` in the row, or, if `pointer` is set, the row has a pointer to it there.
 */
struct part {
	const struct record_layout *layout;
	uint16_t offset;
	bool pointer;
};
/* The parts of a row that is a whole record. */
#define RECORD_AS_ROW(STRUCT) (const struct part[]){ { &STRUCT##_layout }, { } }

/* A moment by the clocks that are known, in ns; NOTHING: this one is not. */
struct output_moment {
	int64_t engine;			/* the clock of the records */
	int64_t monotonic, boot;	/* this machine's */
	int64_t wall;			/* since the epoch */
};

/*
 * Columns that are no tool's own, but tell more of the task that acts in a row: the process of the
 * tool's column `pid`, at the time of the row's record. They are texts, in front of the first
 * column of the task.
 */
struct output_actor {
	int64_t pid;			/* NOTHING: unknown */
	uint64_t time;			/* the record's; 0: it has none */
};
struct output_beside {
	const struct column *columns;	/* ends with an empty row; NULL: there are none */
	/* the value, for a format that has people or machines */
	struct text (*text)(void *arg, const struct column *c, const struct output_actor *actor,
			    bool people);
};

/* Where rows come from. columns and parts end with an empty row; NULL: no table, no fields. */
struct output_source {
	const struct column *columns;
	const struct part *parts;
	/* returns true if the option is set, for column.option */
	bool (*shown)(void *arg, const char *option);
	/* returns true if the kernel provides the input "HOOK:INPUT"; NULL: it provides all */
	bool (*known)(void *arg, const char *input);
	/* convert a program's time to ns since the start, and to ns since the epoch */
	int64_t (*since_start)(void *arg, uint64_t time);
	int64_t (*wall_clock)(void *arg, uint64_t time);
	/* for listeners with a time axis; NULL: there are none */
	void (*moment)(void *arg, struct output_moment *now);
	bool summed;			/* a row has sums of an interval; else it is an event */
	struct metrics *metrics;	/* of the listener that adds up; NULL: there is none */
	/* the interval whose rows are shown, by the engine's clock; false: none has ended */
	bool (*interval)(void *arg, int64_t *began, int64_t *ended);
	struct output_beside beside;
	void *arg;
	const char *name;		/* the tool's */
	struct zone zone;		/* of local times; owned by the caller */
};

struct output;

/*
 * Prints to `file`. Parts and columns must stay until output_free(). Returns NULL if there is no
 * memory, or if a column names a field that no part has.
 */
struct output *output_new(FILE *file, const struct output_format *format,
			  const struct output_source *source);
void output_free(struct output *o);
/*
 * Adds a listener: another output, which gets all rows, histograms, stacks and objects that `o`
 * gets from now on, after it. Lines, frames and pictures are for people, so only `o` has them.
 * `o` owns the listener.
 */
void output_listen(struct output *o, struct output *listener);
/* Return true if one that hears now has a format for people, or one for machines. */
bool output_for_people(const struct output *o);
bool output_for_machines(const struct output *o);
/*
 * For what people and machines see in different ways: a loop whose body is heard by formats for
 * people only, then by the others only. *turn begins with 0; after the last turn all hear again. A
 * turn that nobody hears is left out. Turns are not within others.
 *	for (turn = 0; output_turn(o, &turn);)
 */
bool output_turn(struct output *o, unsigned int *turn);

/* Prints the columns' heads: text and CSV, once. */
void output_header(struct output *o);
/* The same for a table of each interval: text prints the heads above each of them. */
void output_heads(struct output *o);
/* Prints one row; `row` points to the struct that the columns' offsets are for. */
void output_row(struct output *o, const void *row);

/*
 * Prints a line for people ("Tracing ... Hit Ctrl-C to end."), in text only. The whole line is
 * escaped, so its arguments may have any bytes. The newline is added.
 */
void output_line(struct output *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for a line that is a text of any bytes. */
void output_text(struct output *o, const struct text *line);

/* The subject of a histogram, printed as `section = value` above it. name NULL: no section. */
struct hist_section {
	const char *name;	/* "disk", "pid" */
	struct text value;
	bool is_number;		/* the value is a decimal number, also in JSON */
	const char *head;	/* the name in text; NULL: `name` */
};

/*
 * Prints a log2 histogram in bcc's layout; `unit` heads it ("usecs"). JSON: one object with the
 * name, the unit, the section, all non-empty slots as {low, high, count}, and the time clock_ns (ns
 * since the epoch) unless it is NOTHING. CSV: a line for each slot. An empty histogram prints
 * nothing as text. totals (average, sum, count) may be NULL.
 */
struct hist_totals {
	uint64_t sum, count;
};
void output_hist(struct output *o, const char *name, const char *unit,
		 const struct hist_section *section, int64_t clock_ns, const struct hist *h,
		 const struct hist_totals *totals);
/* Prints a linear histogram: n counts of values from `first` on, `step` apart. */
void output_linear(struct output *o, const char *name, const char *unit,
		   const struct hist_section *section, int64_t clock_ns, const uint64_t *counts,
		   unsigned int n, int64_t first, int64_t step);

/* The code that a frame of a stack is in. A mark is no code: it says what is missing there. */
enum frame_kind { FRAME_KERNEL, FRAME_USER, FRAME_JIT, FRAME_MARK };

struct stack_frame {
	enum frame_kind kind;
	const char *name;	/* of the function, any bytes; NULL: unknown */
	const char *module;	/* the kernel module or file; NULL: unknown */
	uint64_t address;
	uint64_t offset;	/* of the address in the function; without a name: in the module */
};

/* How stacks are shown. */
struct stack_style {
	bool folded;		/* one line a stack, oldest function first: for flame graphs */
	bool delimited;		/* `--` (folded: `-`) between kernel frames and user frames */
	bool annotated;		/* `_[k]` behind names of the kernel */
	bool offsets;		/* names have the offset of the address */
	bool addresses;		/* addresses instead of names */
};

/* A value of a stack: how often it was found, or for how long. */
struct stack_value {
	const char *unit;		/* "samples", "us" */
	uint64_t value;
};
#define STACK_VALUES 4

/* Stacks of a task with their values. Frames are in order, the newest first. */
struct stack_shown {
	const char *name;		/* name of the tool: "profile" */
	struct text comm;		/* s NULL: unknown */
	bool grouped;			/* shown with the control group, `group`; s NULL: unknown */
	struct text group;
	int64_t pid;			/* NOTHING: unknown */
	int64_t tid;			/* the values are of this thread; 0: of the whole process */
	int64_t clock_ns;		/* ns since the epoch; NOTHING: values of the whole run */
	/* both NULL: only the waker's stacks are shown */
	const struct stack_frame *kernel, *user;
	unsigned int n_kernel, n_user;
	const struct stack_value *values;	/* a folded stack shows the first one */
	unsigned int n_values;
	const struct stack_style *style;
	/* the task that woke this one: only its task and stacks are used; NULL: not shown */
	const struct stack_shown *waker;
};
/* Prints a stack: text as bcc prints it; JSON: an object; CSV: a line with the folded stack. */
void output_stack(struct output *o, const struct stack_shown *s);
/*
 * Prints the frames and an empty line below a row: text only, since JSON and CSV have columns for
 * the frames.
 */
void output_frames(struct output *o, const struct stack_shown *s);
/*
 * Frames as one text, the oldest function first; the caller frees. Returns NULL if there are no
 * frames or no memory.
 */
char *stack_folded(const struct stack_frame *frames, unsigned int n,
		   const struct stack_style *style);

/* `parts` of 100,000 values of a histogram are not larger than the percentile. */
#define PERCENTILES 20
struct percentile {
	char name[12];			/* "p99.9" */
	unsigned int parts;
};

/* Percentiles in the user's order, and the largest value as the last one. */
struct percentiles {
	struct percentile list[PERCENTILES + 1];
	unsigned int n;
};

/* Reads "50,99.9"; NULL: the usual ones. Returns false if the text is no list of percentages. */
bool percentiles_read(const char *text, struct percentiles *p);
/*
 * From this call on histograms have these percentiles, too. Each is shown as the largest value of
 * its slot, which exceeds it by less than an eighth.
 */
void output_percentiles(struct output *o, const struct percentiles *p);

/*
 * From this call on histograms are also added to a heat map; linear ones only if they begin with 0
 * and have step 1. only: no histograms are printed. map NULL ends it.
 */
struct heatmap;
void output_map(struct output *o, struct heatmap *map, bool only);
/*
 * Tells machines of a column that the map got: an interval that ended. counts: those of a map with
 * slots of its own, in this unit; NULL: histograms had them. Text and CSV print nothing.
 */
struct heatmap_column;
void output_map_column(struct output *o, const struct heatmap_column *column, const char *unit,
		       const uint64_t *counts);
/* Cuts rows and heads of text at that many columns of a terminal; 0: nowhere. */
void output_fit(struct output *o, unsigned int columns);
/* Prints n bytes as they are. */
void output_picture(struct output *o, const char *bytes, size_t n);

/* The stream's last object in JSON ({"end": {...}}). Text and CSV print nothing. */
struct output_end {
	const char *tool, *engine;
	/* NULL-terminated: "open.enter: tracepoint syscalls:sys_enter_openat" */
	const char *const *hooks;
	uint64_t seen, lost, late, unpaired, full, missed, strings;
	bool missed_known;		/* false: the kernel does not count missed events */
	/* calls that began and have no return; shown if not 0 */
	uint64_t unreturned;
	/* time without probes: CPUs came online, or others removed programs; shown if not 0 */
	uint64_t untraced_ms;
	uint64_t ran_ms;		/* for how long events were shown; shown if not 0 */
	/* events without a time: overlapping ones that can't be told apart; shown if not 0 */
	uint64_t untimed;
	/* requests of io_uring that did what the tool shows, and are not shown; shown if not 0 */
	uint64_t requests;
	/* values without a stack, in the tool's unit; shown if not 0 */
	uint64_t stacks_lost, stacks_unrecorded;
	/* columns or filters this kernel can't serve; NULL-terminated */
	const char *const *missing;
};
void output_end(struct output *o, const struct output_end *end);

/* A named value of output_members(). */
struct output_member {
	const char *name;
	struct text value;
};
/*
 * Prints one more object, {"end":{...}} if `name` is "end". Formats without objects print nothing.
 */
void output_members(struct output *o, const char *name, const struct output_member *members,
		    unsigned int n);

/*
 * Writes what is buffered. Returns -1 if writing failed, and errno says why: EPIPE if the reader
 * is gone, ENOSPC if the disk is full. What listeners can't write their files tell (sink.h).
 */
int output_flush(struct output *o);

#endif
