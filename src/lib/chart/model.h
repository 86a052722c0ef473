/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CHART_MODEL_H
#define SONDE_CHART_MODEL_H

#include "compat/base/hash.h"
#include "src/lib/chart/bins.h"
#include "src/lib/chart/chart.h"

/* Shared by the files of this folder. */

#define CHART_PROCESSES 65536		/* what comes then is only counted */
#define CHART_GAPS 8

/* One incarnation of a process id. The first, number 0, is the sum of those without room. */
struct chart_process {
	uint32_t pid;
	uint32_t parent;		/* its number, which is smaller; 0: unknown */
	char comm[16];			/* not ended by 0 if it is full */
	uint64_t begin, end;		/* end 0: it lives */
	bool before;			/* it was there before the first event */
	bool runs;			/* it executed a program */
	bool kernel;			/* a thread of the kernel */
	uint64_t run, wait;		/* of all its threads */
	struct bins bins;
};

/* All CPUs had nothing to do. */
struct chart_gap {
	uint64_t from, to;
	uint32_t process;		/* that ran then */
};

struct chart_cpu {
	bool known;			/* what it does */
	bool lost;			/* it was known, and its events were lost since */
	bool ever;			/* it was known once */
	uint32_t tid, process;		/* what runs; tid 0: the idle task */
	uint64_t since;
};

struct chart {
	struct chart_process *list;
	uint32_t n;
	uint64_t more;			/* processes without room */
	struct hash threads;		/* u32 tid: struct chart_thread */
	struct chart_cpu *cpus;
	uint32_t n_cpus;		/* of the list */
	uint32_t seen, lost;		/* those that are known, and those that were */
	uint32_t running, waiting;	/* now: CPUs that run, tasks that wait for a disk */
	uint64_t changed;		/* when these changed last */
	bool started;
	uint64_t start, now;
	unsigned int shift;		/* of all bins */
	struct bins all, disk;
	uint64_t run;			/* of all CPUs */
	uint64_t idle_since;		/* 0: CPUs run, or events were lost meanwhile */
	struct chart_gap gaps[CHART_GAPS];	/* longest first; `to` 0: no more */
	uint64_t gap_sum;
	uint64_t losses;
	/* tasks came to a CPU without a switch to them, now and then or often */
	uint64_t switches, missed;
	bool partial;
};

/* Life up to now, or to its end. */
static inline uint64_t chart_life(const struct chart *c, const struct chart_process *p)
{
	return (p->end ? p->end : c->now) - p->begin;
}

/* The CPUs that had switches. */
uint32_t chart_cpus(const struct chart *c);

/* A process that is shown. */
struct chart_row {
	uint32_t process, depth;
	uint32_t merged;		/* shorter processes below it, which have no row */
};

/* What is shown, parents before children, and what is not. */
struct chart_rows {
	struct chart_row *list;
	uint32_t n;
	uint64_t merged;		/* processes that are shorter than `shortest` ns */
	uint64_t shortest;
	/* threads of the kernel, and what was there before and executed no program since */
	uint64_t hidden, hidden_run;
};

/* The caller frees the list. Returns -1 if there is no memory. */
int chart_rows(const struct chart *c, uint32_t most, struct chart_rows *to);
/* The lines above the picture or table: what it shows, and what it leaves out. */
void chart_say(const struct chart *c, const struct chart_rows *rows, const struct chart_look *look,
	       struct lines *to);

#endif
