/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_EVENTS_H
#define SONDE_BPF_EVENTS_H

#include "backends/bpf/bpf_attach.h"
#include "backends/bpf/bpf_kept.h"
#include "backends/bpf/bpf_samples.h"
#include "backends/tracefs/tracefs.h"

/* What bpf_attach.c shares with the kinds of events (backends/kinds/). */
struct bpf_events {
	struct kernel *kernel;
	const struct plan *plan;
	FILE *verbose;
	struct probes *probes;		/* NULL: none is made in tracefs */
	/* there are probes that do not tell what they missed: the PMU's, uretprobes, samples */
	bool untold;
	bool profiled;			/* there are probes in tracefs that do */
	unsigned int cpu;		/* the one on which events are opened */
	/* whose functions of user space are probed; ANY_TASK: all processes' */
	pid_t process;
	bool unseen;			/* it has threads that are not probed any more */
	uint64_t looked;		/* when that was looked for */
	int watched;			/* an event of the process, until it hangs up; -1: none */
	void *page;			/* of that event */
	int *fds;			/* one an attachment; -1: none, or it samples */
	struct bpf_samples samples;
	struct bpf_kept kept;
	unsigned int n_held;
	struct held_link {
		int fd;
		bool tells;	/* what it missed, if the kernel does */
	} *held;
};

/*
 * Keeps a link until the events are closed; -1 and errno: it is closed. `tells`: its information
 * has what it missed.
 */
int bpf_events_hold(struct bpf_events *e, int link, bool tells);
/* Opens an event by the number that it has already. */
int bpf_open_tracepoint(struct bpf_events *e, unsigned int attachment, const char **way,
			struct error *err);
/* Makes a probe, by the PMU or a definition in tracefs, and opens it. */
int bpf_open_probe(struct bpf_events *e, unsigned int attachment, const char **way,
		   struct error *err);
/* Attaches a program to what either has opened; -1 and errno. */
int bpf_attach_event(struct bpf_events *e, unsigned int attachment, int program);
/* The same for a tracepoint, where others may remove the program. */
int bpf_attach_tracepoint(struct bpf_events *e, unsigned int attachment, int program);

#endif
