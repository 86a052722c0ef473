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
	BPF_WAY_NONE,		/* it can't */
	BPF_WAY_TRACEPOINT,	/* to the event that the kernel has, by its number */
	BPF_WAY_PROBE,		/* to a probe that it makes, by a PMU or a definition in tracefs */
	BPF_WAY_SAMPLES,	/* to an event on each CPU that is online */
	BPF_WAY_LINK,		/* the kind does so, by links: link() */
};

/* How the kernel counts the hits that it missed: it ran nothing for them. */
enum missed {
	MISSED_NONE,		/* it misses none */
	MISSED_PROFILE,		/* in kprobe_profile of tracefs, but for probes of the PMU */
	MISSED_RETURNS,		/* the same, since 6.2 */
	MISSED_LINK,		/* in the information of links, since 6.7 */
	MISSED_UNTOLD,		/* not at all */
};

static inline bool missed_in_profile(enum missed m)
{
	return m == MISSED_PROFILE || m == MISSED_RETURNS;
}

/* How a probe is made without tracefs: by a PMU. It goes with its file descriptor. */
struct pmu {
	enum feature feature;
	const char *type;	/* the file with the PMU's number */
	const char *retprobe;	/* the file with the bit of attr.config that means "return probe" */
};

/* How a probe is made in tracefs: for the rings always, for BPF where there is no PMU. */
struct definition {
	const char *list;	/* the file that takes the definition */
	char letter;		/* p, r: the definition and the name of the probe begin with it */
	bool room;		/* it may say for how many returns the probe waits at a time */
	/* The place in the file or function, from event->address; the text may be empty. */
	void (*place)(const struct event *e, char *text, unsigned int size);
};

/* How events of a kind are made and attached; compat/kinds/ says how they are found. */
struct event_ops {
	/* "sched:sched_switch", "kretprobe of vfs_read", "uprobe of readline in /bin/bash" */
	void (*title)(const struct event *e, char *text, unsigned int size);
	enum bpf_prog_type program;
	uint32_t attach_type;		/* of the program (compat/base/bpf.h); 0: none */
	enum bpf_way way;
	/*
	 * Of BPF_WAY_LINK: attaches the program, which runs from now on. 0; -1 and errno. Sets
	 * event->refused.
	 */
	int (*link)(struct bpf_links *l, struct event *event, int program);
	const struct pmu *pmu;			/* NULL: none */
	const struct definition *definition;	/* NULL: the event is there already */
	enum missed missed;
	/* of several probes of a function the one made first runs first; else the last one */
	bool in_order;
};

const struct event_ops *event_ops(const struct event *e);

/*
 * The kernel refused the event, and err says why. 0: the engine goes on without it, as the user
 * named many and others are left; `verbose` is told.
 */
int event_refused(struct event *e, const struct error *err, FILE *verbose);
struct plan;
/* All events of the plan are made; -1 if the kernel has refused all that the user named. */
int plan_events_left(const struct plan *plan);

#endif
