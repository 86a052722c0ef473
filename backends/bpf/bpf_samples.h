/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_SAMPLES_H
#define SONDE_BPF_SAMPLES_H

#include "backends/backend.h"
#include "backends/perf/cpu_follow.h"

/*
 * Events that sample each CPU, and run a program there: unlike a probe's program, that of a sample
 * runs on the CPU of its event only. So each CPU has an event, and they are followed.
 */
struct bpf_samples {
	struct sampling {
		const struct event *event;
		unsigned int attachment;
		int program;		/* -1: not attached yet */
		int *fds;		/* of the events, one a CPU; -1: the CPU is offline */
		struct cpu_follow follow;
	} of[4];			/* the plan's attachments that sample */
	unsigned int n_of;
};

/* Opens an event on each CPU that is online. */
int bpf_samples_open(struct bpf_samples *s, struct kernel *k, const struct event *event,
		     unsigned int attachment, FILE *verbose, struct error *err);
/* -1 and errno. */
int bpf_samples_attach(struct bpf_samples *s, unsigned int attachment, int program);
/* To be called often: CPUs come and go. */
void bpf_samples_follow(struct bpf_samples *s);
/* Nothing that happens from now on matters. */
void bpf_samples_stop(struct bpf_samples *s);
/* ns, over all CPUs that were online and not sampled. */
uint64_t bpf_samples_uncovered(const struct bpf_samples *s);
void bpf_samples_close(struct bpf_samples *s);

#endif
