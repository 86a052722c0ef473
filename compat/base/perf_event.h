/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PERF_EVENT_H
#define SONDE_PERF_EVENT_H

#include <linux/perf_event.h>
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

#endif
