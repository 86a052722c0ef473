/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FTRACE_READ_H
#define SONDE_FTRACE_READ_H

#include "backends/ftrace/ftrace_hold.h"
#include "compat/rings/ftrace_page.h"
#include "backends/perf/local_clock.h"
#include "backends/stream/stream.h"
#include "compat/base/error.h"
#include "compat/kinds/many.h"

/*
 * The reading half of the ftrace engine: reads pages from each CPU's ring of an instance, and
 * pushes their records and losses into the stream.
 */

/* A receiver of records: several attachments of a plan may be on one event. */
struct ftrace_target {
	uint32_t event;		/* the attachment's number, or STREAM_TASK_EVENT + n */
	uint16_t pid_offset;	/* of common_pid in the record */
	uint16_t next;		/* number + 1 of another target of the event; 0: none */
	bool stacked;		/* its records have stacks */
	bool kernel_stack;	/* also the kernel's stack */
	/*
	 * For the function tracer: the address in a record becomes the number of its function;
	 * records of other functions are dropped. NULL: not the function tracer.
	 */
	const struct many *functions;
	uint16_t ip_offset;
	uint8_t ip_size;
};

/* Targets by the event's id, which each record begins with (common_type). */
struct ftrace_targets {
	uint32_t n_ids, n_targets;
	uint16_t *first;	/* number + 1 of a target; 0: the event is not wanted */
	struct ftrace_target *targets;
};

/* Adds a target; `wanted` has all but `next`. Returns -1 and sets err if there is no memory. */
int ftrace_targets_add(struct ftrace_targets *t, int id, const struct ftrace_target *wanted,
		       struct error *err);

struct ftrace_cpu {
	uint32_t cpu;
	int fd;			/* per_cpu/cpuN/trace_pipe_raw */
	int stats;		/* per_cpu/cpuN/stats; -1: opened each time */
	unsigned int pages;	/* read in this reading */
	bool read;		/* this reading is done with the CPU */
	bool drained;		/* and left nothing */
	bool fresh;		/* pages were read since its stats were */
	uint64_t last;		/* the time of the youngest record */
	uint64_t counted;	/* losses that the stream was told */
	uint64_t skipped;	/* events that the kernel never returns; told to the stream */
	uint64_t whole;		/* up to this time no more were skipped */
	struct ftrace_hold hold;	/* events that wait for their stacks */
};

struct ftrace_reader {
	const char *instance;
	struct stream *stream;
	enum stream_share share;	/* the part of the stream's events in this instance */
	struct ftrace_targets targets;
	struct ftrace_layout layout;
	struct ftrace_stacks stacks;	/* records that follow its events */
	unsigned int ring_pages;	/* of one CPU */
	bool shared;			/* the main ring: sonde leaves its size and options */
	bool mono;			/* times are of CLOCK_MONOTONIC */
	const struct local_clock *clock;	/* converts other times; NULL: they are kept */
	bool unmarked;			/* full rings drop new events, and pages do not mark it */
	unsigned int n_cpus;
	struct ftrace_cpu *cpus;
	uint64_t began;			/* time of this reading's beginning; UINT64_MAX: no clock */
	unsigned int most_pages;	/* limit of a reading for each CPU */
	uint8_t *page;
	uint8_t *stacked;		/* room for any record with its stacks */
	uint64_t newest;		/* the time of the youngest record of all */
};

/* Opens the rings of all CPUs. Returns the highest CPU + 1; -1, and sets err, on failure. */
int ftrace_reader_open(struct ftrace_reader *r, struct error *err);
void ftrace_reader_close(struct ftrace_reader *r);

/*
 * A reading takes what is in the rings when it begins, in rounds of a part each, so that the stream
 * can run between rounds. `writing`: events still come; if a CPU writes faster than sonde reads,
 * the rest is left to the next reading. A round returns 1 if there is more; 0; -1, and sets err, on
 * failure.
 */
void ftrace_begin(struct ftrace_reader *r, bool writing);
int ftrace_round(struct ftrace_reader *r, struct error *err);
/* The time up to which the last round left nothing; UINT64_MAX: it left nothing at all. */
uint64_t ftrace_complete(const struct ftrace_reader *r);
/*
 * After the last round: tells the stream the losses that no page marked. Events that still wait for
 * their stacks go to the stream without them: tracing stopped before the stacks were recorded.
 * Returns -1 and sets err on failure.
 */
int ftrace_last_losses(struct ftrace_reader *r, struct error *err);

/* Waits for the rings of several readers. */
struct ftrace_waiter {
	int epoll;			/* -1: it sleeps for short times instead */
	bool woken;			/* a ring ended the last wait */
	unsigned int false_wakes;
	unsigned int nap;		/* ms of a short sleep */
};

/* Prepares to wait; the readers are open. */
void ftrace_waiter_open(struct ftrace_waiter *w, const struct ftrace_reader *readers,
			unsigned int n);
void ftrace_waiter_close(struct ftrace_waiter *w);
/*
 * Sleeps until rings fill, a signal comes, or the time is over. Returns how many ms it should have
 * slept; -1 if it was woken.
 */
int ftrace_wait(struct ftrace_waiter *w, const struct ftrace_reader *readers, unsigned int n,
		int timeout_ms);

/* The content of per_cpu/cpuN/stats. */
struct ftrace_stats {
	uint64_t lost;		/* sum of all losses */
	uint64_t unread;	/* events in the ring */
	uint64_t read;		/* events that were read; 0: none, or before 3.6 */
};

#define FTRACE_STATS 1024	/* bytes of its text, with a NUL */
/* Reads its text. Returns -1 and sets err on failure. */
int ftrace_stats_text(const struct ftrace_reader *r, const struct ftrace_cpu *c,
		      char text[FTRACE_STATS], struct error *err);
/* Parses that file's text. */
struct ftrace_stats ftrace_stats_parse(const char *text);

#endif
