/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PERF_CHANNEL_H
#define SONDE_PERF_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "backends/perf/local_clock.h"
#include "backends/rings/perf_ring.h"
#include "backends/perf/perf_unwind.h"
#include "backends/stream/event_filter.h"
#include "backends/stream/stream.h"

/*
 * One event of the kernel: perf's number for it, and the attachments (or the task event) that get
 * its records.
 */
struct perf_source {
	int id;			/* of a tracepoint; 0: samples */
	unsigned int n_events;
	struct perf_target {
		uint32_t event;	/* as in struct sample */
		bool stacked;	/* it wants stacks; other targets get only the record */
	} *events;
	bool abi;		/* each record is followed by whether the task has 32 bits */
	bool kernel_stack, user_stack;	/* records have these stacks */
	enum sampled_by by;	/* of samples: what triggers them */
	uint64_t address;	/* of BY_WATCH: what is accessed */
	uint32_t frequency;	/* samples a second; as in struct event */
	uint32_t period;	/* if not 0: instead, every so many ns or counts */
	char name[136];
	struct event_filter filter;	/* a twin has the other's text */
	/* hits of unwanted tasks change nothing: it may be opened for the wanted tasks alone */
	bool of_tasks;
	bool breakpoint;	/* on a function of user space */
	/*
	 * Two sources of one tracepoint, if the group is opened for the wanted tasks: that of all
	 * tasks has no stacks, and its twin has those of the wanted tasks. The twin is not opened
	 * otherwise. The kernel writes both records of a hit one after the other.
	 */
	bool twinned, is_twin;
	bool tidies;		/* a lost hit changes nothing */
	bool counts_ns;		/* perf_event.h: its records have the form with stacks */
};

/*
 * Sources that share a ring on each CPU. The task table's events have rings of their own, so that a
 * flood of the tool's events does not lose them.
 */
struct perf_group {
	enum stream_share share;
	unsigned int n_sources;
	struct perf_source *sources;
	const struct perf_source **by_id;	/* NULL: none */
	unsigned int n_by_id;
	unsigned int pages;
	const struct unwinder *unwinder;	/* of user stacks; NULL: only the kernel's walk */
	bool clockid;		/* times are of CLOCK_MONOTONIC */
	const struct local_clock *clock;	/* converts other times; NULL: they are kept */
	/*
	 * Some sources want stacks, are samples, or count ns: then all records of the ring have the
	 * form with stacks.
	 */
	bool stacked;
	bool cgroups;		/* each record ends with the id of its task's cgroup */
	bool numbered;		/* there are several kinds of records: each has its number */
	/* perf filters by its tasks (perf_tasks.h); NULL: all tasks */
	const struct plan *wants;
	FILE *verbose;
};

/* The events of a group on one CPU, and their ring. All zero: closed. */
struct perf_channel {
	const struct perf_group *group;
	struct stream *stream;
	unsigned int cpu;
	/* `width` for each source, one more than there are tasks; the first owns the ring */
	int *fds;
	unsigned int width;
	uint64_t *numbers;	/* if the group is numbered: the kernel's number of each event */
	struct perf_ring *ring;
	uint64_t last;		/* the time of the youngest record read, or of enabling */
	uint64_t goal;		/* end of this reading: the ring's head when it began */
	uint64_t reached;	/* the time up to which it came; 0: it has not begun */
	bool read;		/* it has reached its end */
	bool was_full;		/* the ring may have been full at some time */
	uint64_t samples;	/* records of tracepoints that were read */
	uint64_t tidied;	/* of these: records of sources that tidy */
	uint64_t ns;		/* what the records of sources that count ns have */
	uint8_t *tailed;	/* a record, and the id of its task's cgroup behind it */
	uint32_t tailed_size;
	struct perf_unwound unwound;	/* the last sample that the unwinder changed */
	uint8_t twin[128];	/* the record of the last hit that came through a twin */
	uint32_t twin_size;	/* 0: the other record of this hit has come, too */
	uint64_t told;		/* losses that the stream was told */
	/* losses that it was not told yet, and the time of the record that reported them */
	uint64_t lost;
	uint64_t lost_to;
	uint32_t largest;	/* bytes of the largest record seen */
	bool crowded;		/* the ring was so full that a record may not have fitted */
};

/* Makes by_id. Returns -1 and sets err if there is no memory. */
int perf_group_index(struct perf_group *g, struct error *err);
void perf_group_free(struct perf_group *g);

/*
 * Opens all events, disabled. Returns 1 if the CPU is offline; -1, and sets err, on failure. Both
 * leave nothing open.
 */
int perf_channel_open(struct perf_channel *c, const struct perf_group *g, struct stream *stream,
		      unsigned int cpu, struct error *err);
void perf_channel_close(struct perf_channel *c);
bool perf_channel_is_open(const struct perf_channel *c);
int perf_channel_fd(const struct perf_channel *c);	/* to wait for */
/* Enables all events at the time `now`. Returns -1 and sets err on failure. */
int perf_channel_enable(struct perf_channel *c, uint64_t now, struct error *err);
void perf_channel_disable(struct perf_channel *c);

/*
 * A reading pushes the records that are in the ring when it begins, about `most` bytes in each call
 * of perf_channel_drain(), until c->read. most UINT64_MAX: pushes all records, without
 * perf_channel_begin(). `now`: a time not before any of the records. Returns -1 if a record is
 * invalid, or if there is no memory.
 */
void perf_channel_begin(struct perf_channel *c);
int perf_channel_drain(struct perf_channel *c, uint64_t most, uint64_t now);

/*
 * After the last drain: tells the stream the losses that no record reported. Returns how many of
 * them are events of the plan without a sample, though the ring was never crowded: the kernel left
 * them out.
 */
uint64_t perf_channel_settle(struct perf_channel *c, uint64_t now);

#endif
