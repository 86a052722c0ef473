/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_ATTACH_H
#define SONDE_BPF_ATTACH_H

#include "backends/backend.h"

/* Writes the title of an event for messages (backends/kinds/), and returns it. */
#define BPF_EVENT_TITLE 192
const char *bpf_event_title(const struct event *event, char title[BPF_EVENT_TITLE]);

/* The perf events of a plan's programs, and the probes made for them. */
struct bpf_events;

/* Makes the struct without opening events. Returns NULL if there is no memory. */
struct bpf_events *bpf_events_new(struct kernel *k, const struct plan *plan, FILE *verbose);
/* Opens an event for each attachment with a program. No program runs yet. */
int bpf_events_open(struct bpf_events *e, struct error *err);
/* The attachment whose turn is number i: so programs on one place run in the plan's order. */
unsigned int bpf_events_turn(const struct bpf_events *e, unsigned int i);
/* Attaches a program to its event: it runs until the event is closed. */
int bpf_events_attach(struct bpf_events *e, unsigned int attachment, int program,
		      struct error *err);
/* From now on, removals of attached programs by others are counted. */
void bpf_events_start(struct bpf_events *e);
/*
 * Follows CPUs that are sampled; to be called often. Events after bpf_events_stop() do not count.
 */
void bpf_events_follow(struct bpf_events *e);
void bpf_events_stop(struct bpf_events *e);
/* Returns true if the traced process has threads that the kernel no longer probes. */
bool bpf_events_unseen(const struct bpf_events *e);
/* ns in which online CPUs were not sampled, summed over CPUs. */
uint64_t bpf_events_uncovered(const struct bpf_events *e);
/* ns in which others may have removed programs. */
uint64_t bpf_events_removed(const struct bpf_events *e);
/*
 * Runs the program of an iterator for its next items. Returns 1; 0 behind the last one; -errno.
 */
int bpf_events_walk(struct bpf_events *e, unsigned int attachment);
/*
 * Adds the hits of probes without a program run. Returns false if the kernel does not count them.
 */
bool bpf_events_missed(const struct bpf_events *e, uint64_t *missed);
/*
 * Closes the events, and releases the probes. The last process that closes an event waits for all
 * CPUs.
 */
void bpf_events_close(struct bpf_events *e);
/* Returns true if there are probes that would outlive this process. */
bool bpf_events_named(const struct bpf_events *e);
/* As probes_holder(). */
struct holder *bpf_events_holder(struct bpf_events *e);

#endif
