/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BACKENDS_KINDS_H
#define SONDE_BACKENDS_KINDS_H

#include <linux/bpf.h>

#include "compat/kernel/kernel.h"
#include "compat/resolve/event.h"

struct bpf_events;

/* Who tells how many hits the kernel skipped by itself, before there was anything to run. */
enum missed {
	MISSED_NONE,		/* it skips none */
	MISSED_PROFILE,		/* kprobe_profile of tracefs; of what the PMU makes nobody */
	MISSED_RETURNS,		/* the same, since 6.2 */
	MISSED_UNTOLD,		/* nobody */
};

static inline bool missed_in_profile(enum missed m)
{
	return m == MISSED_PROFILE || m == MISSED_RETURNS;
}

/* How a probe is made without tracefs: a PMU of its own, gone with the file descriptor. */
struct pmu {
	enum feature feature;
	const char *type;	/* file with the PMU's number */
	const char *retprobe;	/* file with the bit of attr.config that means "return probe" */
};

/* How a probe is made in tracefs, for BPF where there is no PMU and for the rings always. */
struct definition {
	const char *list;	/* the file that takes it */
	char letter;		/* what it begins with, and its name in the group: p, r */
	bool room;		/* it may say how many returns are waited for at a time */
	/* The place probed in the file or function, from event->address; the text may be empty. */
	void (*place)(const struct event *e, char *text, unsigned int size);
};

/* How events of a kind are made and attached; compat/kinds/ says how they are found. */
struct event_ops {
	/*
	 * "sched:sched_switch", "kretprobe of vfs_read", "uprobe of readline in /bin/bash": for
	 * messages
	 */
	void (*title)(const struct event *e, char *text, unsigned int size);
	enum bpf_prog_type program;
	/*
	 * bpf: opens the event of an attachment, by which no program runs, and says in which way;
	 * and hangs a program on it: -1 and errno.
	 */
	int (*open)(struct bpf_events *e, unsigned int attachment, const char **way,
		    struct error *err);
	int (*attach)(struct bpf_events *e, unsigned int attachment, int program);
	const struct pmu *pmu;			/* NULL: none */
	const struct definition *definition;	/* NULL: there is nothing to be made */
	enum missed missed;
	/* of several probes of one function the first made runs first; else the last */
	bool in_order;
};

const struct event_ops *event_ops(const struct event *e);

#endif
