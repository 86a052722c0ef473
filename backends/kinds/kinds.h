/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BACKENDS_KINDS_H
#define SONDE_BACKENDS_KINDS_H

#include <linux/bpf.h>
#include <stdio.h>

#include "compat/kernel/kernel.h"
#include "compat/events/event.h"
#include "compat/kinds/kinds.h"

struct bpf_links;

/* How the engine bpf attaches programs to events of a kind. */
enum bpf_way {
	BPF_WAY_NONE,		/* not at all */
	BPF_WAY_TRACEPOINT,	/* to an event of the kernel, by its number */
	BPF_WAY_PROBE,		/* to a probe that it makes, by a PMU or a definition in tracefs */
	BPF_WAY_SAMPLES,	/* to an event on each online CPU */
	BPF_WAY_LINK,		/* by links, which the kind makes: link() */
	BPF_WAY_ITERATOR,	/* to an iterator, which runs it when it is read */
};

/* Where the kernel counts missed hits, for which it ran no program. */
enum missed {
	MISSED_NONE,		/* it misses none */
	MISSED_PROFILE,		/* in kprobe_profile of tracefs, except for probes of the PMU */
	MISSED_RETURNS,		/* the same, since 6.2 */
	MISSED_LINK,		/* in the information of links, since 6.7 */
	/* in the information of programs; kernels that do not count there miss none */
	MISSED_PROGRAM,
	MISSED_UNTOLD,		/* nowhere */
};

/* Returns true if the counts are in kprobe_profile. */
static inline bool missed_in_profile(enum missed m)
{
	return m == MISSED_PROFILE || m == MISSED_RETURNS;
}

/* How a probe is made without tracefs: by a PMU. It ends with its file descriptor. */
struct pmu {
	enum feature feature;
	const char *type;	/* the file with the PMU's number */
	const char *retprobe;	/* the file with the bit of attr.config that means "return probe" */
};

/* How a probe is made in tracefs: always for the rings, for BPF if there is no PMU. */
struct definition {
	const char *list;	/* the file that takes the definition */
	char letter;		/* p or r: the definition and the probe's name begin with it */
	/* it may have the number of returns that are waited for at a time */
	bool room;
	/* Writes the place in the file or function, from event->address; may be empty. */
	void (*place)(const struct event *e, char *text, unsigned int size);
};

/* How events of a kind are made and attached; compat/kinds/ knows how they are found. */
struct event_ops {
	/* "sched:sched_switch", "kretprobe of vfs_read", "uprobe of readline in /bin/bash" */
	void (*title)(const struct event *e, char *text, unsigned int size);
	enum bpf_prog_type program;
	uint32_t attach_type;		/* of the program (compat/base/bpf.h); 0: none */
	enum bpf_way way;
	/*
	 * BPF_WAY_LINK: attaches the program, which runs from then on, and sets event->refused.
	 * Returns -1 and sets errno on failure.
	 */
	int (*link)(struct bpf_links *l, struct event *event, int program);
	/* attached when the engine is opened: if that fails, another plan may serve */
	bool early;
	const struct pmu *pmu;			/* NULL: none */
	const struct definition *definition;	/* NULL: the event exists already */
	enum missed missed;
	/* of several probes on a function the first made runs first; false: the last made */
	bool in_order;
};

/* The operations of an event's kind. */
const struct event_ops *event_ops(const struct event *e);

/*
 * The kernel refused the event; err has the reason. If the user named its function, the engine goes
 * on without it: reports that to `verbose`, and returns 0. Otherwise returns -1.
 */
int event_refused(struct event *e, const struct error *err, FILE *verbose);
struct plan;
/*
 * After all events of the plan are made. Returns -1 if the kernel refused all that the user named.
 */
int plan_events_left(const struct plan *plan);

#endif
