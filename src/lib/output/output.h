/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OUTPUT_H
#define SONDE_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "compat/base/escape.h"
#include "compat/time/zone.h"
#include "insns/field.h"
#include "src/lib/output/formats/formats.h"

/*
 * Everything a tool prints on stdout goes through here: tables, histograms and stacks, in one of
 * the formats (formats.h). What came from traced programs is escaped (compat/base/escape.h).
 */

/* A value that is not there: `-` in text, null in JSON, an empty cell in CSV. */
#define NOTHING INT64_MIN

/* Bytes from a traced program: anything but NUL-terminated by right. s NULL: nothing. Not owned. */
struct text {
	const char *s;
	uint32_t length;
	bool quoted;		/* backslashes in it are escapes already: text passes them */
	/* there was more: text shows "..." behind it, JSON says so in a member NAME_cut: true */
	bool cut;
	bool is_number;		/* decimal digits: a number in JSON */
};

struct address {
	uint16_t family;	/* AF_INET, AF_INET6; 0: nothing */
	uint8_t bytes[16];
};

enum column_type {
	COLUMN_INTEGER,		/* int64_t */
	COLUMN_OCTAL,		/* int64_t, `digits` octal digits at least */
	COLUMN_SECONDS,		/* int64_t ns, shown as seconds with `digits` decimals */
	/* int64_t ns since the epoch, HH:MM:SS local time with `digits` decimals; JSON: ISO 8601 */
	COLUMN_CLOCK,
	COLUMN_UTC,		/* the same, but not of the local time */
	COLUMN_REAL,		/* double with `digits` decimals and `suffix`; NAN: nothing */
	COLUMN_TEXT,		/* struct text */
	COLUMN_ADDRESS,		/* struct address */
};

/* The formats that have a column, by the properties of struct output_format. */
enum column_readers {
	FOR_ALL,
	FOR_PEOPLE, FOR_MACHINES,	/* with `people`; without it */
	FOR_OBJECTS, FOR_TABLES,	/* with `objects`; without it */
};

struct column {
	const char *head;	/* text and CSV: "LAT(ms)" */
	const char *name;	/* JSON: "lat_ms", with its unit */
	uint8_t type;		/* enum column_type */
	/* as in printf: negative left, 0 as long as it is; wider values are never cut */
	int8_t width;
	uint16_t offset;	/* of the value in a row */
	uint8_t digits;
	int8_t wide;		/* the width with --wide; 0: the same */
	uint8_t readers;	/* enum column_readers */
	const char *suffix;	/* text only: "%" */
	/*
	 * The field it shows (insns/field.h), of one of the row's parts, instead of a value at
	 * `offset`: type says how it is shown. A number is divided first: ns by 1000000 for
	 * "lat_ms"; COLUMN_INTEGER rounds towards 0.
	 */
	const char *field;
	uint32_t divisor;	/* 0: 1 */
	const char *option;	/* shown only if this option is set ... */
	const char *unless;	/* ... and this one is not */
	const char *help;	/* what the column means, for --help; one line */
};

/*
 * Slots of a histogram, as programs count them (LOG2 in insns/): values 0 to 7 have a slot each,
 * and every power of two above is cut into 8. Text folds them to powers of two, as bcc prints them.
 */
#define HIST_SUB 8
#define HIST_SLOTS 496
uint64_t hist_slot_low(unsigned int slot);	/* the smallest value in a slot */
uint64_t hist_slot_high(unsigned int slot);	/* the largest */

struct hist {
	uint64_t slots[HIST_SLOTS];
};

/*
 * Where a row has the fields that columns name: a record, a key or a value is in it, or is pointed
 * to.
 */
struct part {
	const struct record_layout *layout;
	uint16_t offset;
	bool pointer;
};
/* The parts of a row that is a record. */
#define RECORD_AS_ROW(STRUCT) (const struct part[]){ { &STRUCT##_layout }, { } }

/*
 * Where rows come from. columns and parts end with an empty row, and may be NULL: no table, and no
 * fields.
 */
struct output_source {
	const struct column *columns;
	const struct part *parts;
	/* is this option set? For column.option */
	bool (*shown)(void *arg, const char *option);
	/* is this "HOOK:INPUT" told? NULL: all are */
	bool (*known)(void *arg, const char *input);
	/* times of fields as COLUMN_SECONDS and COLUMN_CLOCK */
	int64_t (*since_start)(void *arg, uint64_t time);
	int64_t (*wall_clock)(void *arg, uint64_t time);
	void *arg;
	struct zone zone;		/* of local times; stays the caller's */
};

struct output;

/*
 * NULL: out of memory, or a column names a field that is not there. Parts and columns are used
 * until output_free().
 */
struct output *output_new(FILE *file, const struct output_format *format,
			  const struct output_source *source);
void output_free(struct output *o);
bool output_for_people(const struct output *o);		/* text, not a format machines read */

/* The columns' heads: text and CSV, once. */
void output_header(struct output *o);
/* The same where each interval has a table of its own: text has them above each. */
void output_heads(struct output *o);
/* One row; `row` points to the struct the columns' offsets are for. */
void output_row(struct output *o, const void *row);

/*
 * A line for people ("Tracing ... Hit Ctrl-C to end."): text only, to the same stream. Escaped as a
 * whole, so its arguments may be anything; the newline is added.
 */
void output_line(struct output *o, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What a histogram is of: printed as `section = value` above it; NULL name: no section. */
struct hist_section {
	const char *name;	/* "disk", "pid" */
	struct text value;
	bool is_number;		/* the value is a decimal number, and one in JSON */
	const char *head;	/* what text says for the name; NULL: the same */
};

/*
 * A log2 histogram in bcc's layout: `unit` heads it ("usecs"). JSON: one object a histogram, with
 * the name and unit, the section, the time if clock_ns is not NOTHING (ns since the epoch), and all
 * non-empty slots as {low, high, count}; CSV: one line a slot. An empty histogram prints nothing as
 * text. totals (avg, total, count) may be NULL.
 */
struct hist_totals {
	uint64_t sum, count;
};
void output_hist(struct output *o, const char *name, const char *unit,
		 const struct hist_section *section, int64_t clock_ns, const struct hist *h,
		 const struct hist_totals *totals);
/* A linear one: n values from `first` on, `step` apart. */
void output_linear(struct output *o, const char *name, const char *unit,
		   const struct hist_section *section, int64_t clock_ns, const uint64_t *counts,
		   unsigned int n, int64_t first, int64_t step);

/* What code a frame of a stack is. A mark is none: it says what is missing there. */
enum frame_kind { FRAME_KERNEL, FRAME_USER, FRAME_JIT, FRAME_MARK };

struct stack_frame {
	enum frame_kind kind;
	const char *name;	/* NULL: not known. Anybody's bytes */
	const char *module;	/* what it is in; NULL: not known */
	uint64_t address;
	uint64_t offset;	/* of the address in the function; without a name in the module */
};

/* How stacks are shown. */
struct stack_style {
	bool folded;		/* a line each, the oldest function first; for flame graphs */
	bool delimited;		/* `--` (folded: `-`) between the kernel's part and the other */
	bool annotated;		/* `_[k]` behind the kernel's names */
	bool offsets;		/* of the addresses in their functions */
	bool addresses;		/* not names */
};

/* What is known of stacks: how often they were found, for how long. */
struct stack_value {
	const char *unit;		/* "samples", "us" */
	uint64_t value;
};
#define STACK_VALUES 4

/* Stacks of a task and their values: newest frames first. */
struct stack_shown {
	const char *name;		/* "profile" */
	struct text comm;		/* s NULL: not known, as a pid that is NOTHING */
	int64_t pid;
	int64_t tid;			/* of one thread; 0: of all of the process */
	int64_t clock_ns;		/* NOTHING: it is of the whole run */
	/* NULL, both: stacks are its waker's alone */
	const struct stack_frame *kernel, *user;
	unsigned int n_kernel, n_user;
	const struct stack_value *values;	/* a folded stack has the first */
	unsigned int n_values;
	const struct stack_style *style;
	/* who woke it, with its task and stacks and nothing else; NULL: it does not matter */
	const struct stack_shown *waker;
};
/* Text as bcc has it; JSON: an object; CSV: a line with the folded stack. */
void output_stack(struct output *o, const struct stack_shown *s);
/* Below a row: the frames, and an empty line. Text only; JSON and CSV have columns for them. */
void output_frames(struct output *o, const struct stack_shown *s);
/* Frames as one text, the oldest function first; the caller frees. NULL: none, or no memory. */
char *stack_folded(const struct stack_frame *frames, unsigned int n,
		   const struct stack_style *style);

/*
 * From here on histograms go into a heat map too, linear ones if they are of values from 0 on, one
 * apart; only: nothing is printed but pictures. NULL ends it.
 */
struct heatmap;
void output_map(struct output *o, struct heatmap *map, bool only);
void output_picture(struct output *o, const char *bytes, size_t n);

/*
 * The stream's last object in JSON ({"end": {...}}): nothing in text and CSV, where the session
 * says it on stderr.
 */
struct output_end {
	const char *tool, *engine;
	/* NULL-terminated: "open.enter: tracepoint syscalls:sys_enter_openat" */
	const char *const *hooks;
	uint64_t seen, lost, late, unpaired, full, missed, strings;
	bool missed_known;
	/* calls that began and were not seen to return; shown where it is not 0 */
	uint64_t unreturned;
	/* of CPUs that came online, and programs that others removed; shown where it is not 0 */
	uint64_t untraced_ms;
	/* which of several was whose end is not known; shown where it is not 0 */
	uint64_t untimed;
	/* what has no stack for that, in the tool's unit; shown where it is not 0 */
	uint64_t stacks_lost, stacks_unrecorded;
	/* columns or filters this kernel can't serve; NULL-terminated */
	const char *const *missing;
};
void output_end(struct output *o, const struct output_end *end);

/* A value of a known name, beside the rows. */
struct output_member {
	const char *name;
	struct text value;
};
/* One more object in formats of objects: {"end":{...}} if `name` is "end"; nothing in others. */
void output_members(struct output *o, const char *name, const struct output_member *members,
		    unsigned int n);

/* Flushes; -1 once the reader went away (EPIPE) or the disk is full, errno says which. */
int output_flush(struct output *o);

#endif
