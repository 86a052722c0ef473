/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TIMELINE_H
#define SONDE_TIMELINE_H

#include "compat/base/hash.h"
#include "compat/base/strbuf.h"
#include "src/lib/output/listener.h"
#include "src/lib/output/timelines/timelines.h"
#include "src/lib/output/timelines/tracks.h"

/*
 * Listeners that write what a tool shows onto a time axis: a row with a length of time is a span, a
 * row with a time alone a moment, and rows and histograms of intervals are counters. timeline.c
 * knows rows, a writer knows the format of a file. All is written as it comes.
 */
struct timeline;

/* A span or a moment. Times are in ns of the engine's clock. */
struct timeline_event {
	const struct track *track;
	unsigned int lane;		/* of the track; 0: it is the track's own */
	bool new_lane;			/* the first span there */
	struct text name;
	int64_t begin, end;		/* equal: a moment, unless `span` */
	bool span;
	const void *row;		/* for timeline_each_argument() */
};

/* A row of counters. */
struct timeline_counter {
	uint64_t id;			/* the same for the same name */
	const char *name, *unit;	/* unit NULL: a count */
	int64_t pid;			/* of which it is; NOTHING: of none */
	bool first;			/* it was not written before, or long ago */
	int64_t time;
	bool real;			/* its value is `value.real`, else `value.integer` */
	union value value;
};

/* What a format does. All functions add to `out`, whole events. */
struct timeline_writer {
	void (*begin)(struct timeline *t, const struct output_moment *now);
	/* ppid NOTHING, comm without a text: unknown */
	void (*process)(struct timeline *t, int64_t pid, int64_t ppid, const struct text *comm);
	void (*thread)(struct timeline *t, int64_t pid, int64_t tid, const struct text *comm);
	void (*track)(struct timeline *t, const struct track *track);
	void (*event)(struct timeline *t, const struct timeline_event *e);
	void (*counter)(struct timeline *t, const struct timeline_counter *c);
	void (*end)(struct timeline *t);	/* NULL: nothing is behind the last event */
};

#define TIMELINE_NO_CELL UINT32_MAX
/* What the columns are; numbers of cells. */
struct timeline_columns {
	unsigned int pid, tid, ppid, comm, name, track, length;
	bool from;			/* the row's time is the begin of the length */
	struct cell time, exact;	/* of the row, and of its length; column NULL: none */
};

struct timeline {
	struct output *o;
	const struct timeline_writer *writer;
	struct timeline_columns columns;
	struct tracks tracks;
	struct hash tasks;		/* the told names, by process and thread */
	struct hash series;		/* of counters, by name */
	int64_t interval;		/* the end of the interval of the last counters */
	bool begun;
	struct strbuf out;
	const char *lane_name;		/* the tool's */
};

/* begin(), row() and so on of both listeners. */
int timeline_begin(struct output *o, const struct timeline_writer *writer);
void timeline_row(struct output *o, const void *row);
void timeline_hist(struct output *o, const struct histogram *h);
void timeline_end(struct output *o, const struct output_end *end);
void timeline_free(struct output *o);

/* The file is begun with the first event: then the clocks are known. */
void timeline_start(struct timeline *t);
/* Hands over what the writer has added. */
void timeline_put(struct timeline *t);
/* Tells of a process, of a thread, unless that was done already. */
void timeline_task(struct timeline *t, int64_t pid, int64_t tid, int64_t ppid,
		   const struct text *comm);

/* counters.c: a row, or a histogram, of the interval. */
void timeline_count_row(struct timeline *t, const void *row);
void timeline_count_hist(struct timeline *t, const struct histogram *h);
/* Counters that the last interval had become 0 at its end. */
void timeline_count_end(struct timeline *t);

/* Values of a row: missing ones are NOTHING, or without a text. */
int64_t timeline_integer(const struct timeline *t, unsigned int cell, const void *row);
struct text timeline_text(const struct timeline *t, unsigned int cell, const void *row);

/* An argument of an event: a column and its value. */
struct timeline_argument {
	const struct column *column;
	enum { ARGUMENT_INTEGER, ARGUMENT_REAL, ARGUMENT_TEXT } type;
	union value value;
};
/* Calls `each` with all values that are there, but for the row's time and the length. */
void timeline_each_argument(const struct timeline *t, const void *row,
			    void (*each)(void *arg, const struct timeline_argument *a), void *arg);

/* A number that stays the same for the same bytes, and is hardly ever that of others. */
uint64_t timeline_id(uint64_t seed, const void *bytes, size_t n);

#endif
