/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_SAMPLES_H
#define SONDE_BPF_SAMPLES_H

#include "backends/backend.h"
#include "backends/perf/cpu_follow.h"

/*
 * Events that sample each CPU and run a program there. Unlike the program of a probe, that of a
 * sample runs only on the CPU of its event. So each CPU has an event, and CPUs are followed.
 */
struct bpf_samples {
	struct sampling {
		const struct event *event;
		unsigned int attachment;
		int program;		/* -1: not attached yet */
		int *fds;		/* the events, one for each CPU; -1: the CPU is offline */
		struct cpu_follow follow;
	} of[4];			/* the plan's attachments that sample */
	unsigned int n_of;
};

/* Opens an event on each online CPU. Returns -1 and sets err on failure. */
int bpf_samples_open(struct bpf_samples *s, struct kernel *k, const struct event *event,
		     unsigned int attachment, FILE *verbose, struct error *err);
/* Attaches the program to each of its events. Returns -1 and sets errno on failure. */
int bpf_samples_attach(struct bpf_samples *s, unsigned int attachment, int program);
/* Follows CPUs that go offline and come back; to be called often. */
void bpf_samples_follow(struct bpf_samples *s);
/* Ends the time that counts as covered or uncovered. */
void bpf_samples_stop(struct bpf_samples *s);
/* ns in which online CPUs were not sampled, summed over CPUs. */
uint64_t bpf_samples_uncovered(const struct bpf_samples *s);
void bpf_samples_close(struct bpf_samples *s);

#endif
