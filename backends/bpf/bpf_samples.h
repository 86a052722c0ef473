/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_SAMPLES_H
#define SONDE_BPF_SAMPLES_H

#include "backends/backend.h"
#include "backends/perf/cpu_watch.h"

/*
 * Events that sample each CPU, and run a program there: unlike a probe's, that of a sample runs on
 * the CPU of its event only. An event dies with its CPU, and one that comes back or is new has
 * none: they are followed.
 */
struct bpf_samples {
	struct sampled {
		unsigned int attachment, cpu;
		struct cpu_watch event;	/* the one that samples; fd -1: the CPU is offline */
	} *list;
	unsigned int n;
	struct sampling {
		const struct event *event;
		unsigned int attachment;
		int program;		/* -1: not attached yet */
	} of[4];			/* the plan's attachments that sample */
	unsigned int n_of;
	/* ns; CLOCK_MONOTONIC, and over all CPUs that came online */
	uint64_t checked, uncovered;
};

/* Opens an event on each CPU that is online. */
int bpf_samples_open(struct bpf_samples *s, const struct event *event, unsigned int attachment,
		     struct error *err);
/* -1 and errno. */
int bpf_samples_attach(struct bpf_samples *s, unsigned int attachment, int program);
/* Looks, once a second, which CPUs went and came. */
void bpf_samples_follow(struct bpf_samples *s, FILE *verbose);
void bpf_samples_close(struct bpf_samples *s);

#endif
