/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STAT_REPORT_H
#define SONDE_STAT_REPORT_H

#include <stdio.h>

#include "src/commands/stat/options.h"
#include "src/commands/stat/shares.h"
#include "src/lib/output/output.h"

/* The report of a run: text for people, or rows for programs. */

/* A line: an event's count at one place, in one interval. */
struct stat_line {
	const struct stat_count *counts;	/* of all events at this place */
	unsigned int n, i;			/* number of counts; this line's count */
	int64_t since_ns;			/* of intervals: from the beginning to the end */
	double elapsed_ns;			/* length of the interval, or of the whole run */
	int cpu;				/* -1: all counted places */
	bool first;				/* first line of its interval */
};

/* The mean of several runs, and its error. */
struct stat_mean {
	unsigned int n;
	double mean, squares;			/* sum of squares of differences from the mean */
};
void mean_add(struct stat_mean *m, double value);
double mean_error(const struct stat_mean *m);	/* standard error of the mean */
double mean_noise(const struct stat_mean *m);	/* the same in per cent of the mean */

/* An event's counts in several runs. */
struct stat_repeats {
	struct stat_mean value;			/* over the runs in which it was counted */
	uint64_t enabled, running;		/* sums over all runs, ns */
	unsigned int n;
};
/* Adds the count of a run, and replaces it by the mean of all runs so far. */
void repeats_add(struct stat_repeats *all, struct stat_count *c);

/* The text below the counts. */
struct stat_ending {
	struct stat_mean elapsed_s;
	bool command;				/* there was a command */
	bool counted;				/* the command was counted: its times are valid */
	double user_s, system_s;
	int status;				/* the command's exit status */
};

struct stat_report {
	const struct stat_options *options;
	FILE *file;
	struct output *rows;			/* JSON and CSV; NULL: text, or -x */
	bool intervals, repeated;
	int name_width, unit_width;
	unsigned int lines;			/* lines of intervals since the last heading */
};

/* Begins a report. The caller owns `file`. Returns -1 and sets err on failure. */
int report_begin(struct stat_report *r, const struct stat_options *o,
		 const struct stat_events *events, FILE *file, struct error *err);
/* Prints the title; `what` was counted. */
void report_title(struct stat_report *r, const char *what);
void report_line(struct stat_report *r, const struct stat_line *l);
void report_end(struct stat_report *r, const struct stat_ending *end);
/* Returns -1 if writing failed; errno says why. */
int report_flush(struct stat_report *r);
void report_free(struct stat_report *r);

/* ---- between the files of this folder ---- */

#define COUNT_TEXT 64
/* Writes a count as it is shown; for people with commas between thousands. */
void count_text(const struct stat_count *c, bool people, bool repeated, char to[COUNT_TEXT]);
const char *count_unit(const struct stat_count *c);
double count_running(const struct stat_count *c);	/* per cent of the time */
/* The report's functions for text, for rows, and for -x. */
void text_title(struct stat_report *r, const char *what);
void text_line(struct stat_report *r, const struct stat_line *l);
void text_end(struct stat_report *r, const struct stat_ending *end);
int rows_begin(struct stat_report *r, struct error *err);
void rows_line(struct stat_report *r, const struct stat_line *l);
void rows_end(struct stat_report *r, const struct stat_ending *end);
void separated_line(struct stat_report *r, const struct stat_line *l);

#endif
