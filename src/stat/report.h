/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STAT_REPORT_H
#define SONDE_STAT_REPORT_H

#include <stdio.h>

#include "src/lib/output/output.h"
#include "src/stat/options.h"
#include "src/stat/shares.h"

/* What is printed of a run: as text for people, or as rows for programs. */

/* A line an event: where and when it was counted. */
struct stat_line {
	const struct stat_count *counts;	/* of all events there */
	unsigned int n, i;			/* this one of them */
	int64_t since_ns;			/* the beginning; of intervals */
	double elapsed_ns;			/* of the interval, or of all */
	int cpu;				/* -1: all that are counted */
	bool first;				/* of its interval */
};

/* A mean of several runs, and how far it may be off. */
struct stat_mean {
	unsigned int n;
	double mean, squares;			/* sum of squares of differences from it */
};
void mean_add(struct stat_mean *m, double value);
double mean_error(const struct stat_mean *m);	/* standard error of the mean */
double mean_noise(const struct stat_mean *m);	/* the same in per cent of the mean */

/* An event's counts of several runs. */
struct stat_repeats {
	struct stat_mean value;			/* of those in which it was counted */
	uint64_t enabled, running;		/* of all */
	unsigned int n;
};
/* Adds that of a run; the mean of all so far takes its place. */
void repeats_add(struct stat_repeats *all, struct stat_count *c);

/* What is said below the counts. */
struct stat_ending {
	struct stat_mean elapsed_s;
	bool command;				/* there was one, which has ended */
	bool counted;				/* and it is what was counted: its times */
	double user_s, system_s;
	int status;				/* its exit status */
};

struct stat_report {
	const struct stat_options *options;
	FILE *file;
	struct output *rows;			/* JSON and CSV; NULL: text, or -x */
	bool intervals, repeated;
	int name_width, unit_width;
	unsigned int lines;			/* of intervals, since their heading */
};

/* -1 and err. `file` stays the caller's. */
int report_begin(struct stat_report *r, const struct stat_options *o,
		 const struct stat_events *events, FILE *file, struct error *err);
/* What is above the counts; `what` was counted. */
void report_title(struct stat_report *r, const char *what);
void report_line(struct stat_report *r, const struct stat_line *l);
void report_end(struct stat_report *r, const struct stat_ending *end);
/* -1: nobody reads it any more, or the disk is full; errno says which. */
int report_flush(struct stat_report *r);
void report_free(struct stat_report *r);

/* For the files of this folder. */
#define COUNT_TEXT 64
/* A count as it is shown, with commas between thousands for people. */
void count_text(const struct stat_count *c, bool people, bool repeated, char to[COUNT_TEXT]);
const char *count_unit(const struct stat_count *c);
double count_running(const struct stat_count *c);	/* per cent of the time */
void text_title(struct stat_report *r, const char *what);
void text_line(struct stat_report *r, const struct stat_line *l);
void text_end(struct stat_report *r, const struct stat_ending *end);
int rows_begin(struct stat_report *r, struct error *err);
void rows_line(struct stat_report *r, const struct stat_line *l);
void rows_end(struct stat_report *r, const struct stat_ending *end);
void separated_line(struct stat_report *r, const struct stat_line *l);

#endif
