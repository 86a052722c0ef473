/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SIDE_BAND_H
#define SONDE_SIDE_BAND_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "backends/perf/local_clock.h"
#include "compat/base/error.h"
#include "compat/kernel/kernel.h"

/*
 * perf's side band: which process maps which code, begins, executes a program, and ends. Every
 * engine needs it to name addresses of user space: when names are shown, the process may have
 * ended.
 */
struct side_band;

/*
 * NAME: a thread of the process has another name, without an exec. THREAD and LEFT: a process that
 * goes on has one thread more, or less. NAMESPACES: a task, which may be a new one, is in these.
 * CGROUP: a control group was made.
 */
enum side_band_kind {
	SIDE_BAND_MAP, SIDE_BAND_EXEC, SIDE_BAND_NAME, SIDE_BAND_FORK, SIDE_BAND_EXIT,
	SIDE_BAND_THREAD, SIDE_BAND_LEFT, SIDE_BAND_NAMESPACES, SIDE_BAND_CGROUP,
};

/*
 * Which events are recorded. Mappings: these, and the lives of processes. Tasks: the lives of all
 * threads. Otherwise the events of that kind alone.
 */
enum side_band_subject {
	SIDE_BAND_OF_MAPPINGS, SIDE_BAND_OF_TASKS, SIDE_BAND_OF_NAMESPACES, SIDE_BAND_OF_CGROUPS,
};

struct side_band_event {
	enum side_band_kind kind;
	uint64_t time;		/* ns, CLOCK_MONOTONIC */
	unsigned int cpu;	/* it happened there; set by side_band_read() */
	uint32_t pid;		/* the process; ids are those of sonde's own pid namespace */
	uint32_t tid;		/* the task; 0 for MAP and CGROUP */
	uint32_t mntns, pidns;	/* NAMESPACES: their numbers; 0: unknown */
	uint64_t id;		/* CGROUP: of the control group that was made */
	uint32_t parent;	/* FORK: its parent; EXIT: the parent of its process */
	uint32_t maker;		/* FORK, THREAD: the thread that made it */
	/* MAP: addresses, and the offset in the file */
	uint64_t start, end, offset;
	/* of the file; all 0: unknown on this kernel (before 3.16) */
	uint32_t major, minor;
	uint64_t inode, generation;
	/*
	 * MAP: the file's path, or a name in brackets; EXEC, NAME: the name of the task. Valid
	 * during the callback.
	 */
	const char *path;
};
typedef void (*side_band_fn)(void *arg, const struct side_band_event *e);

/*
 * Begins to record the subject, on all CPUs. `clock` converts times if perf's are of the kernel's
 * own clock; NULL: events then have the times of side_band_read(). Returns NULL and sets err on
 * failure.
 */
struct side_band *side_band_open(struct kernel *k, enum side_band_subject subject,
				 const struct local_clock *clock, FILE *verbose, struct error *err);
void side_band_close(struct side_band *s);

/*
 * Hands over all events older than `until`, in the order of time. To be called several times a
 * second: the kernel keeps half a megabyte for each CPU. Returns -1 and sets err if it can't be
 * read.
 */
int side_band_read(struct side_band *s, uint64_t until, side_band_fn fn, void *arg,
		   struct error *err);

/* How often events were lost: earlier events may then be outdated. */
uint64_t side_band_losses(const struct side_band *s);

/*
 * Parses one of perf's records, which ends with its time. Returns false if it is no event of the
 * side band.
 */
bool side_band_event(const struct perf_event_header *record, struct side_band_event *e);

#endif
