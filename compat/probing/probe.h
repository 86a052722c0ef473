/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PROBE_FEATURE_H
#define SONDE_PROBE_FEATURE_H

#include "compat/kernel/facts.h"

/* The running kernel's answer about a feature: tries it, as thoroughly as is allowed. */
void probe_feature(struct kernel *k, enum feature f, struct verdict *v);
/* The same for features of BPF; probe_feature() calls it. */
void probe_bpf_feature(struct kernel *k, enum feature f, struct verdict *v);
/* The text "bpf-check" of the running kernel. */
char *probe_bpf_check(struct kernel *k, size_t *length);
/* Defines a probe event with these fetch arguments, and removes it. 0 or -errno. */
int probe_define(struct kernel *k, bool uprobe, const char *fetch);
/*
 * Removes this event of sonde_try, if it is there: the kernel's log tells of each removal that was
 * refused. `events` is kprobe_events or uprobe_events.
 */
void probe_forget(struct kernel *k, const char *events, const char *name);
/* Two sondes that try at once take turns. What a killed one left is removed first. */
int probe_take_turn(struct kernel *k);
void probe_end_turn(int lock);
void probe_switch_states(struct kernel *k, enum feature f, struct verdict *v);
/* The same for 32-bit programs under probes; probe_feature() calls it. */
void probe_narrow(struct kernel *k, enum feature f, struct verdict *v);

#endif
