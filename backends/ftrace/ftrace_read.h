/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FTRACE_READ_H
#define SONDE_FTRACE_READ_H

#include "backends/ftrace/ftrace_page.h"
#include "backends/stream/stream.h"
#include "compat/base/error.h"

/*
 * The reading half of the ftrace engine: takes pages from each CPU's ring of an instance, and
 * pushes their records and their losses to the stream.
 */

/* Who wants a record: several attachments of a plan may stand on one event. */
struct ftrace_target {
	uint32_t event;		/* number of the attachment, or STREAM_TASK_EVENT + n */
	uint16_t pid_offset;	/* of common_pid in the record */
	uint16_t next;		/* target of the same event, by number + 1; 0: none */
};

/* By the event's id, which each record begins with (common_type). */
struct ftrace_targets {
	uint32_t n_ids, n_targets;
	uint16_t *first;	/* number + 1 of a target; 0: nobody asked for this event */
	struct ftrace_target *targets;
};

int ftrace_targets_add(struct ftrace_targets *t, int id, uint32_t event, uint16_t pid_offset,
		       struct error *err);

struct ftrace_cpu {
	uint32_t cpu;
	int fd;			/* per_cpu/cpuN/trace_pipe_raw */
	bool drained;		/* the last round read all there was */
	unsigned int pages;	/* read in the last round */
	uint64_t last;		/* time of the newest record */
	uint64_t counted;	/* losses the stream was told of */
};

struct ftrace_reader {
	const char *instance;
	struct stream *stream;
	enum stream_share share;		/* what of the stream's events this instance has */
	struct ftrace_targets targets;
	struct ftrace_layout layout;
	unsigned int ring_pages;	/* of one CPU */
	bool mono;			/* times are CLOCK_MONOTONIC */
	/* full rings drop the new events, and no page tells where */
	bool unmarked;
	unsigned int n_cpus;
	struct ftrace_cpu *cpus;
	uint8_t *page;
	uint64_t newest;		/* time of the newest record of all */
};

/*
 * Lists the CPUs of the instance, and opens their rings. The number of the highest one + 1, or -1.
 */
int ftrace_reader_open(struct ftrace_reader *r, struct error *err);
void ftrace_reader_close(struct ftrace_reader *r);

/*
 * Reads what is in the rings. `writing`: events may still come, and a CPU that is faster than we
 * are is left for the next round. ftrace_complete(): the time up to which nothing was left;
 * UINT64_MAX where all was read.
 */
int ftrace_round(struct ftrace_reader *r, bool writing, struct error *err);
uint64_t ftrace_complete(const struct ftrace_reader *r);
/* After the last round: losses no page told of become known. */
int ftrace_last_losses(struct ftrace_reader *r, struct error *err);

/* Waiting for the rings of several readers. */
struct ftrace_waiter {
	int epoll;			/* -1: the rings can't be waited for */
	bool woken;			/* by a ring, the last time */
	unsigned int false_wakes;
	unsigned int nap;		/* ms, where they can't */
};

void ftrace_waiter_open(struct ftrace_waiter *w, const struct ftrace_reader *readers,
			unsigned int n);
void ftrace_waiter_close(struct ftrace_waiter *w);
/* Sleeps until rings fill, a signal comes, or the time is over. */
void ftrace_wait(struct ftrace_waiter *w, const struct ftrace_reader *readers, unsigned int n,
		 int timeout_ms);

/* Sums up what per_cpu/cpuN/stats says was lost. */
uint64_t ftrace_stats_lost(const char *text);

#endif
