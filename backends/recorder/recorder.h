/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RECORDER_H
#define SONDE_RECORDER_H

#include <stdint.h>
#include <sys/uio.h>

#include "compat/base/error.h"
#include "compat/kernel/kernel.h"
#include "compat/recordings/perf/perf_write.h"

/*
 * Records tracepoints and samples of this kernel in perf's rings, one for each CPU, and hands out
 * what the kernel wrote there as it is: no record is taken apart. CPUs that come online later are
 * not recorded.
 */
struct recorder;

struct recorder_options {
	unsigned int pages;		/* of each CPU's ring */
	/* of the kernel and of user space, with each tracepoint; samples always have them */
	bool stacks;
	/*
	 * The rings overwrite their oldest records (4.7), and wake nobody: see recorder_pause().
	 * The lives of tasks are not in them: see lives.h.
	 */
	bool backward;
};

/*
 * Opens these events, which are off: fills attr, ids and n_ids of each; the recorder owns the ids.
 * Of samples the attr tells what is sampled, and how often. Returns NULL and sets err on failure.
 */
struct recorder *recorder_open(struct kernel *k, struct perf_written *events, unsigned int n,
			       const struct recorder_options *o, struct error *err);
void recorder_close(struct recorder *r);

/*
 * The CPUs that are recorded; whether times are those of CLOCK_MONOTONIC, and else what they lack
 * to those now, in ns: 0 if that is unknown.
 */
unsigned int recorder_cpus(const struct recorder *r);
bool recorder_clocked(const struct recorder *r);
int64_t recorder_apart(const struct recorder *r);

/*
 * Switch on what tells the lives of tasks, then, once the names of all tasks were read, the rest.
 * Return -1 and set err on failure.
 */
int recorder_follow(struct recorder *r, struct error *err);
int recorder_start(struct recorder *r, struct error *err);
/*
 * Switches all events off. The kernel tells losses of a ring with the next record that has room: so
 * the rings are to be read before, and here each gets one more.
 */
void recorder_stop(struct recorder *r);

/* Waits until a ring has much to read, a signal comes, or so many ms are over. */
void recorder_wait(const struct recorder *r, int ms);
/*
 * Hands out all that the rings have: a CPU's records are one piece, or two where the ring wraps
 * around. Returns the number of pieces; -1 and sets err if `write` fails.
 */
int recorder_read(struct recorder *r,
		  int (*write)(void *arg, const struct iovec *pieces, int n, struct error *err),
		  void *arg, struct error *err);

/*
 * Of the ring of the n-th CPU, from 0 on, which overwrites its oldest records. While it is paused,
 * the kernel leaves out all events of the CPU, and tells their number with the first one behind.
 * Returns -1 and sets err on failure.
 */
int recorder_pause(struct recorder *r, unsigned int n, bool paused, struct error *err);
/* The ring of the n-th CPU, and that CPU's number. */
const struct perf_ring *recorder_ring(const struct recorder *r, unsigned int n, unsigned int *cpu);

/* Counts of all records that were handed out. */
struct recorder_counts {
	uint64_t events, lost;
};
struct recorder_counts recorder_counts(const struct recorder *r);

#endif
