/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FTRACE_READ_H
#define SONDE_FTRACE_READ_H

#include "backends/ftrace/ftrace_hold.h"
#include "backends/ftrace/ftrace_page.h"
#include "backends/perf/local_clock.h"
#include "backends/stream/stream.h"
#include "compat/base/error.h"
#include "compat/kinds/many.h"

/*
 * The reading half of the ftrace engine: reads pages from each CPU's ring of an instance, and
 * pushes their records and losses into the stream.
 */

/* Who wants a record: several attachments of a plan may be to one event. */
struct ftrace_target {
	uint32_t event;		/* the attachment's number, or STREAM_TASK_EVENT + n */
	uint16_t pid_offset;	/* of common_pid in the record */
	uint16_t next;		/* number + 1 of a target of the same event; 0: none */
	bool stacked;		/* it gets its records with stacks; */
	bool kernel_stack;	/* that of the kernel as well */
	/*
	 * The function tracer's: the record's address becomes the number of its function, and
	 * records of others are left out. NULL: an event's.
	 */
	const struct many *functions;
	uint16_t ip_offset;
	uint8_t ip_size;
};

/* Found by the event's id, with which each record begins (common_type). */
struct ftrace_targets {
	uint32_t n_ids, n_targets;
	uint16_t *first;	/* number + 1 of a target; 0: nobody wants this event */
	struct ftrace_target *targets;
};

/* `wanted`: all but `next`. */
int ftrace_targets_add(struct ftrace_targets *t, int id, const struct ftrace_target *wanted,
		       struct error *err);

struct ftrace_cpu {
	uint32_t cpu;
	int fd;			/* per_cpu/cpuN/trace_pipe_raw */
	int stats;		/* per_cpu/cpuN/stats; -1: opened each time */
	unsigned int pages;	/* that this reading took */
	bool read;		/* it is done with this CPU, */
	bool drained;		/* and left nothing */
	bool fresh;		/* there were pages since its stats were looked at */
	uint64_t last;		/* the time of the youngest record */
	uint64_t counted;	/* losses that the stream knows of */
	uint64_t skipped;	/* events that the kernel never hands out, and the stream knows */
	uint64_t whole;		/* up to here nothing else was skipped */
	struct ftrace_hold hold;	/* events that wait for their stacks */
};

struct ftrace_reader {
	const char *instance;
	struct stream *stream;
	enum stream_share share;	/* which of the stream's events this instance has */
	struct ftrace_targets targets;
	struct ftrace_layout layout;
	struct ftrace_stacks stacks;	/* that follow its events */
	unsigned int ring_pages;	/* of one CPU */
	bool mono;			/* times are of CLOCK_MONOTONIC */
	const struct local_clock *clock;	/* if they are not; NULL: they stay as they are */
	bool unmarked;			/* full rings drop new events, and no page tells where */
	unsigned int n_cpus;
	struct ftrace_cpu *cpus;
	uint64_t began;			/* when this reading did; UINT64_MAX: no clock can tell */
	unsigned int most_pages;	/* that it takes of a CPU */
	uint8_t *page;
	uint8_t *stacked;		/* a record with its stacks; room for any of a page */
	uint64_t newest;		/* the time of the youngest record of all */
};

/* Opens the rings of all CPUs of the instance. Returns the highest CPU + 1; -1 and err. */
int ftrace_reader_open(struct ftrace_reader *r, struct error *err);
void ftrace_reader_close(struct ftrace_reader *r);

/*
 * A reading takes what is in the rings when it begins, in rounds that take a part of it, so that it
 * can be run in between. `writing`: events still come, and the next reading has the rest of a CPU
 * that writes faster than we read. A round returns 1 if there is more for another one; -1 and err.
 */
void ftrace_begin(struct ftrace_reader *r, bool writing);
int ftrace_round(struct ftrace_reader *r, struct error *err);
/* Up to this time the last round left nothing; UINT64_MAX: it left nothing at all. */
uint64_t ftrace_complete(const struct ftrace_reader *r);
/*
 * After the last round: tells the stream of losses that no page told of. Events that still wait for
 * their stacks are not pushed: tracing stopped while they happened.
 */
int ftrace_last_losses(struct ftrace_reader *r, struct error *err);

/* Waits for the rings of several readers. */
struct ftrace_waiter {
	int epoll;			/* -1: it takes naps */
	bool woken;			/* the last time, by a ring */
	unsigned int false_wakes;
	unsigned int nap;		/* ms */
};

void ftrace_waiter_open(struct ftrace_waiter *w, const struct ftrace_reader *readers,
			unsigned int n);
void ftrace_waiter_close(struct ftrace_waiter *w);
/*
 * Sleeps until rings fill, a signal comes, or the time is over. Returns how many ms it should have
 * slept; -1: it was woken.
 */
int ftrace_wait(struct ftrace_waiter *w, const struct ftrace_reader *readers, unsigned int n,
		int timeout_ms);

/* What per_cpu/cpuN/stats tells. */
struct ftrace_stats {
	uint64_t lost;		/* the sum of all that was */
	uint64_t unread;	/* events that are in the ring */
};

struct ftrace_stats ftrace_stats_parse(const char *text);

#endif
