/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PERF_CHANNEL_H
#define SONDE_PERF_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "backends/perf/local_clock.h"
#include "backends/rings/perf_ring.h"
#include "backends/perf/perf_unwind.h"
#include "backends/stream/stream.h"

/*
 * One event of the kernel: perf's number for it, and the attachments (or the task event) that get
 * its records.
 */
struct perf_source {
	int id;			/* 0: it is no tracepoint's, but samples */
	unsigned int n_events;
	struct perf_target {
		uint32_t event;	/* as struct sample has it */
		bool stacked;	/* it wants stacks: the others get the bare record */
	} *events;
	bool abi;		/* behind each record is whether the task has 32 bits */
	bool kernel_stack, user_stack;	/* come with its records */
	enum sampled_by by;	/* of samples: by this */
	uint32_t frequency;	/* so many a second */
	uint32_t period;	/* or one in so many ns, or of what is counted, if it is not 0 */
	char name[136];
	const char *filter;	/* NULL: none */
	/* of a function of user space, and who is not wanted changes nothing */
	bool of_tasks;
	bool tidies;		/* a hit that is lost changes nothing */
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
	const struct unwinder *unwinder;	/* of user stacks; NULL: the kernel's walk is all */
	bool clockid;		/* times are of CLOCK_MONOTONIC */
	const struct local_clock *clock;	/* if they are not; NULL: they stay as they are */
	/*
	 * Some of the sources want stacks, or are samples: then all records of the ring have the
	 * form with stacks.
	 */
	bool stacked;
	bool numbered;		/* there are several kinds of samples: each record tells its own */
	const struct plan *wants;	/* whose tasks are told (perf_tasks.h); NULL: anybody's */
	FILE *verbose;
};

/* The events of a group on one CPU, and their ring. All zero: closed. */
struct perf_channel {
	const struct perf_group *group;
	struct stream *stream;
	unsigned int cpu;
	/* `width` a source, one more than there are tasks; the first owns the ring */
	int *fds;
	unsigned int width;
	uint64_t *numbers;	/* if the group is numbered: the kernel's for each source */
	struct perf_ring *ring;
	uint64_t last;		/* the time of the youngest record read, or of enabling */
	uint64_t goal;		/* of this reading: what the kernel had written when it began; */
	uint64_t reached;	/* the time up to which it came; 0: it has not begun; */
	bool read;		/* it has read all of that; */
	bool was_full;		/* at some time the ring may have been full */
	uint64_t samples;	/* records of tracepoints read; */
	uint64_t tidied;	/* those of sources that tidy */
	struct perf_unwound unwound;	/* the last sample whose stack the unwinder found */
	uint64_t told;		/* losses that the stream knows of */
	/* losses that it does not know of yet, and the time of the record that told of them */
	uint64_t lost;
	uint64_t lost_to;
	uint32_t largest;	/* bytes of the largest record seen */
	bool crowded;		/* its ring was so full that records may not have fitted */
};

/* Makes by_id. */
int perf_group_index(struct perf_group *g, struct error *err);
void perf_group_free(struct perf_group *g);

/* Opens all events, not enabled. 0; 1: the CPU is offline; -1 and err. Both leave nothing open. */
int perf_channel_open(struct perf_channel *c, const struct perf_group *g, struct stream *stream,
		      unsigned int cpu, struct error *err);
void perf_channel_close(struct perf_channel *c);
bool perf_channel_is_open(const struct perf_channel *c);
int perf_channel_fd(const struct perf_channel *c);	/* to wait for */

int perf_channel_enable(struct perf_channel *c, uint64_t now, struct error *err);
void perf_channel_disable(struct perf_channel *c);

/*
 * A reading pushes the records that are in the ring when it begins, about `most` bytes at a time,
 * until c->read; UINT64_MAX: all that there are, without a beginning. `now`: a time that is not
 * before any of them. -1: the ring holds a record that no kernel writes, or memory ran out.
 */
void perf_channel_begin(struct perf_channel *c);
int perf_channel_drain(struct perf_channel *c, uint64_t most, uint64_t now);

/*
 * After the last drain: tells the stream of losses that no record told of. The events of the plan
 * among them that have no sample although the ring was never crowded: the kernel left them out.
 */
uint64_t perf_channel_settle(struct perf_channel *c, uint64_t now);

#endif
