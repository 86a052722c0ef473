/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_EVENTS_H
#define SONDE_BPF_EVENTS_H

#include "backends/bpf/bpf_attach.h"
#include "backends/bpf/bpf_samples.h"
#include "backends/tracefs/tracefs.h"

/* What bpf_attach.c and the kinds of events (backends/kinds/) share. */
struct bpf_events {
	struct kernel *kernel;
	const struct plan *plan;
	FILE *verbose;
	struct probes *probes;		/* NULL: none had to be made in tracefs */
	/* there are probes that do not tell what they missed: perf's, uretprobes, samples */
	bool untold;
	bool profiled;			/* there are some in tracefs that do */
	unsigned int cpu;
	int *fds;			/* one an attachment; -1: none, or it samples */
	struct bpf_samples samples;
};

/* The event that has a number. */
int bpf_open_tracepoint(struct bpf_events *e, unsigned int attachment, const char **way,
			struct error *err);
/* By the PMU, or a definition in tracefs. */
int bpf_open_probe(struct bpf_events *e, unsigned int attachment, const char **way,
		   struct error *err);
/* To what either has opened; -1 and errno. */
int bpf_attach_event(struct bpf_events *e, unsigned int attachment, int program);

#endif
