/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PERF_EVENT_H
#define SONDE_PERF_EVENT_H

#include <linux/perf_event.h>
#include <sys/types.h>

#define ANY_TASK (-1)
#define ANY_CPU (-1)

/*
 * perf_event_open(2) of an event without a group: of one task or ANY_TASK, on one CPU or ANY_CPU.
 * Sets attr->size. Returns the file descriptor, closed on exec, or -1 and errno.
 */
int perf_event_open(struct perf_event_attr *attr, pid_t task, int cpu);
/* The same of an event that is on a counter only together with another one, its group's leader. */
int perf_event_open_beside(struct perf_event_attr *attr, pid_t task, int cpu, int leader);

#endif
