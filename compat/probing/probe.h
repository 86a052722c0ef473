/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PROBE_FEATURE_H
#define SONDE_PROBE_FEATURE_H

#include "compat/kernel/facts.h"

/* Tries a feature on the running kernel, as thoroughly as allowed. */
void probe_feature(struct kernel *k, enum feature f, struct verdict *v);
/* The same for features of BPF; called by probe_feature(). */
void probe_bpf_feature(struct kernel *k, enum feature f, struct verdict *v);
/* Sets the verdict about the feature v->root from the -errno by which bpf(2) refused its trial. */
void probe_bpf_refused(struct kernel *k, int error, struct verdict *v);
/* The text "bpf-check" of the running kernel. The caller frees. */
char *probe_bpf_check(struct kernel *k, size_t *length);
/* Defines a probe event with these fetch arguments, and removes it. Returns 0 or -errno. */
int probe_define(struct kernel *k, bool uprobe, const char *fetch);
/*
 * Removes this event of the group sonde_try if it exists: a refused removal would leave a line in
 * the kernel's log. `events` is kprobe_events or uprobe_events.
 */
void probe_forget(struct kernel *k, const char *events, const char *name);
/*
 * Takes a lock, so that only one sonde tries at one time, and removes what a killed sonde has left.
 * probe_lock_end() releases the lock. Waits for a moment at most (compat/tasks/lock.h).
 */
int probe_lock_take(struct kernel *k);
void probe_lock_end(int lock);
/* Tries where the bits of task states are; called by probe_feature(). */
void probe_switch_states(struct kernel *k, enum feature f, struct verdict *v);
/* Tries 32-bit programs under probes; called by probe_feature(). */
void probe_narrow(struct kernel *k, enum feature f, struct verdict *v);

#endif
