/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CHART_H
#define SONDE_CHART_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "compat/base/error.h"
#include "compat/base/lines.h"

/*
 * Processes on a time axis: when each began and ended, ran, and waited for a disk; below, what all
 * CPUs and disks did. Times are ns.
 */
struct chart;

enum chart_what {
	CHART_MADE,			/* `other` made the task */
	CHART_NAMED,			/* time 0: the task was there before */
	CHART_RUNS,			/* it executes the program `comm` */
	CHART_ENDED,
	CHART_SWITCH,			/* on `cpu`, from the task to `other`, whose name is comm */
	CHART_DISK,			/* a disk read or wrote `bytes` */
	CHART_LOST,			/* events of `cpu` are missing before */
};

struct chart_event {
	uint64_t time;
	enum chart_what what;
	uint32_t cpu;
	uint32_t tid, other;		/* threads; 0: the idle task */
	uint32_t process;		/* of a thread that is made or named; 0: its own */
	uint32_t bytes;
	bool flag;			/* of a switch: the task waits for a disk; DISK: it wrote */
	char comm[16];
};

/* Returns NULL if there is no memory. */
struct chart *chart_new(void);
void chart_free(struct chart *c);
/* Events come in the order of their times. Returns -1 if there is no memory. */
int chart_add(struct chart *c, const struct chart_event *e);
/* To be called behind the last event. */
void chart_end(struct chart *c);
/* Returns true if there is nothing to draw. */
bool chart_is_empty(const struct chart *c);

struct chart_look {
	const char *title;
	const struct lines *notes;	/* more lines about the recording; may be NULL */
	bool switches, disks;		/* these were recorded */
};

/* Draw it as SVG, or as tables of text. Return -1 and set err if there is no memory. */
int chart_svg(FILE *file, const struct chart *c, const struct chart_look *look, struct error *err);
int chart_print(FILE *file, const struct chart *c, const struct chart_look *look,
		struct error *err);

#endif
