/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_ATTACH_H
#define SONDE_BPF_ATTACH_H

#include "backends/backend.h"

/* The title of an event in messages (backends/kinds/). Returns title. */
#define BPF_EVENT_TITLE 192
const char *bpf_event_title(const struct event *event, char title[BPF_EVENT_TITLE]);

/* The perf events that the programs of a plan are attached to, and the probes made for them. */
struct bpf_events;

/* None are open; NULL: out of memory. */
struct bpf_events *bpf_events_new(struct kernel *k, const struct plan *plan, FILE *verbose);
/* Opens an event for each attachment that has a program. No program runs yet. */
int bpf_events_open(struct bpf_events *e, struct error *err);
/* Attaches a program to its event: it runs from now on, until the event is closed. */
int bpf_events_attach(struct bpf_events *e, unsigned int attachment, int program,
		      struct error *err);
/* What others do to attached programs counts from now on. */
void bpf_events_start(struct bpf_events *e);
/* To be called often: CPUs that are sampled come and go. What happens after stop is left out. */
void bpf_events_follow(struct bpf_events *e);
void bpf_events_stop(struct bpf_events *e);
/* The only process that is traced has threads that the kernel does not probe any more. */
bool bpf_events_unseen(const struct bpf_events *e);
/* ns, over all CPUs that were online and not sampled. */
uint64_t bpf_events_uncovered(const struct bpf_events *e);
/* ns for which others may have removed programs. */
uint64_t bpf_events_removed(const struct bpf_events *e);
/* Adds the hits that probes missed, for which no program ran; false: the kernel does not tell. */
bool bpf_events_missed(const struct bpf_events *e, uint64_t *missed);
/*
 * Closes the events, and gives up the probes. The last process that closes an event waits for the
 * CPUs.
 */
void bpf_events_close(struct bpf_events *e);
/* Whether there are probes that would stay when this process ends. */
bool bpf_events_named(const struct bpf_events *e);
/* As probes_holder(). */
struct holder *bpf_events_holder(struct bpf_events *e);

#endif
