/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PERF_EVENT_H
#define SONDE_PERF_EVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <sys/types.h>

#define ANY_TASK (-1)
#define ANY_CPU (-1)

/*
 * perf_event_open(2) of an event without a group, on one task or ANY_TASK, and one CPU or ANY_CPU.
 * Sets attr->size. Returns the file descriptor, closed on exec, or -1 and errno.
 */
int perf_event_open(struct perf_event_attr *attr, pid_t task, int cpu);
/* The same for an event in the group of another one, its leader: both count at the same times. */
int perf_event_open_beside(struct perf_event_attr *attr, pid_t task, int cpu, int leader);

/*
 * Whether a hit of this tracepoint is not one for perf, but as many as it has ns (__perf_count() in
 * the kernel's include/trace/events/sched.h). Such an event counts ns. A hit becomes one record
 * only if records have its number of ns (PERF_SAMPLE_PERIOD); else it becomes up to thousands.
 */
bool perf_event_counts_ns(const char *system, const char *name);

#endif
