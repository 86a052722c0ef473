/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_METRICS_H
#define SONDE_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/base/hash.h"

/*
 * Metrics as engines of time series know them: families of series, which their labels tell apart.
 * The same table is at both ends: a tool's process adds up what happens between two messages, the
 * exporter adds up the messages of all tools for ever.
 *
 * A value of a label comes from the traced machine, so it may be any text, and there may be any
 * number of them. This is the one place that makes them safe: they are escaped as text is, long
 * ones are cut, and a family has a limit of series: values that come later are added to one series
 * whose labels are all METRICS_OTHERS.
 */
#define METRIC_LABELS 8
#define METRIC_VALUE 128		/* bytes of a label's value at most */
#define METRIC_KEY (METRIC_LABELS * (METRIC_VALUE + 1))
#define METRICS_SERIES 500		/* of a family, without the one of all others */
#define METRICS_FAMILIES 512
#define METRICS_OTHERS "_others"
/*
 * Bucket i of a histogram counts values above 2^(i - 1) and up to 2^i of its own unit, the first
 * one all up to 1, the last one the rest.
 */
#define METRIC_BUCKETS 65

enum metric_type {
	METRIC_COUNTER, METRIC_GAUGE, METRIC_HISTOGRAM, METRIC_TYPES
};

/* What a family is; texts are of letters, digits and _ but for `help`. */
struct metric_about {
	const char *name;		/* "sonde_syscount_calls", without "_total" */
	const char *unit;		/* "seconds", "bytes"; "": none. The name ends with it */
	const char *help;		/* one line */
	enum metric_type type;
	double scale;			/* of the unit in one of a value's */
	/*
	 * of a histogram: the sum of all values is known, and each is in its bucket. Without, a
	 * value at a bound is in the bucket behind it: slots of programs begin with their bounds.
	 */
	bool sums;
	unsigned int n_labels;
	const char *labels[METRIC_LABELS];
	/* what a label names comes and goes, as containers do: old series are dropped */
	bool passing;
};

struct metric_series {
	double value;			/* or a histogram's sum; in the tool's unit */
	uint64_t *buckets;		/* of a histogram: METRIC_BUCKETS; not cumulative */
	uint64_t seen;			/* when it was added to, ns of the caller's clock */
	bool sent;			/* it is in the message that is being sent */
};

struct metric_family {
	struct metric_about about;	/* owned copies */
	/* by the values of the labels, each with its NUL; values are struct metric_series */
	struct hash series;
	uint64_t others;		/* additions that the limit sent to METRICS_OTHERS */
	uint64_t users;			/* bits of the senders that told it: metrics_leave() */
};

struct metrics {
	struct metric_family *families[METRICS_FAMILIES];
	unsigned int n;
	bool failed;			/* out of memory, or too many families */
	bool differs;			/* two of one name are not of the same kind */
	const char *asked;		/* labels besides the usual: metric_label_wanted() */
};

/*
 * The family of this name and these labels; it is made if there is none. Returns NULL and sets
 * `failed` without room, or `differs` if there is one with another type, scale or labels.
 */
struct metric_family *metrics_family(struct metrics *m, const struct metric_about *about);
/* Drops series of passing families that nobody added to since `before`. */
void metrics_drop(struct metrics *m, uint64_t before);
void metric_remove(struct metric_family *f, struct metric_series *s);
/*
 * A sender has gone for good: its bit of `users`, and its name in the label "tool". Its series of
 * families that name the tool are removed, and all families that no other sender told.
 */
void metrics_leave(struct metrics *m, uint64_t user, const char *tool);
void metrics_free(struct metrics *m);

/* Values of a series' labels, in the order of the family's; n is 0 at first. */
struct metric_labels {
	char key[METRIC_KEY];
	size_t n;
	size_t room;			/* of the value that is being added */
};

/* Adds the next label's value, of any bytes. */
void metric_label(struct metric_labels *l, const char *value, size_t n);
/* The bucket of a value that is not negative. */
unsigned int metric_bucket(double value);
/* A value in the family's base unit, and the upper bound of a bucket: as exact as a double is. */
double metric_scaled(const struct metric_about *about, double value);
double metric_bound(const struct metric_about *about, unsigned int bucket);
/*
 * The buckets that are shown, `first` to `last`, the same at any time: from a microsecond to two
 * minutes, to a gigabyte, to a million.
 */
void metric_buckets(const struct metric_about *about, unsigned int *first, unsigned int *last);

/*
 * The series of these labels, made if there is none, or the one of all others, which gauges have
 * not. Returns NULL without one, or without memory. `now`: for metrics_drop().
 */
struct metric_series *metric_series(struct metric_family *f, const struct metric_labels *l,
				    uint64_t now);
/* The same for a family of one label. */
struct metric_series *metrics_series(struct metrics *m, const struct metric_about *about,
				     const char *value, uint64_t now);
/* Sets the gauge that says whether a tool of the exporter traces. */
void metrics_tool_up(struct metrics *m, const char *tool, bool up);
/* The labels' value number i of a series. */
const char *metric_value_of(const struct metric_family *f, const struct metric_series *s,
			    unsigned int i);

#endif
