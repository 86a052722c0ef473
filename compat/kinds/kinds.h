/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KINDS_H
#define SONDE_KINDS_H

#include <stdbool.h>

#include "compat/events/kind.h"

struct kernel;

/* perf's type and config for what samples are taken by. */
struct perf_event_attr;
void sampled_attr(enum sampled_by by, struct perf_event_attr *attr);

/* What is the same for all events of a kind. */
struct event_traits {
	const char *title;	/* one word, the kernel's */
	/* it is on a function: behind the head its record has the function's address */
	bool function;
	/* it is on many functions, and tells BPF programs the number of the one that was hit */
	bool numbered;
	/* it is on many functions, and its engine puts the number in the place of the address */
	bool traced;
	/* it is hit when a function returns: the address to return to follows in its record */
	bool returns;
	/* a BPF program on it may be preempted, or run within another */
	bool preempted;
	/* it is hit in user space: the kernel has no stack then */
	bool user;
	/* a BPF program on it has all registers of what was hit */
	bool registers;
	/* it is hit at a frequency: that of the constant that has the event's name */
	bool timed;
	/* why it harms programs that are traced on this kernel; returns NULL: it does not */
	const char *(*risk)(struct kernel *k);
};

const struct event_traits *event_traits(enum event_kind kind);
const char *event_kind_risk(struct kernel *k, enum event_kind kind);

#endif
