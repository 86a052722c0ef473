/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PROBE_INTERNAL_H
#define SONDE_PROBE_INTERNAL_H

#include "compat/probing/probe.h"

/* Shared by the files of probe_feature(): a function for each row of its table. */

/* ---- probe_perf.c ---- */
void probe_perf(struct kernel *k, enum feature f, struct verdict *v);
void probe_clockid(struct kernel *k, enum feature f, struct verdict *v);
void probe_namespaces(struct kernel *k, enum feature f, struct verdict *v);
void probe_cgroup(struct kernel *k, enum feature f, struct verdict *v);
void probe_lost(struct kernel *k, enum feature f, struct verdict *v);
void probe_pmu(struct kernel *k, enum feature f, struct verdict *v);
void probe_pmu_cache(struct kernel *k, enum feature f, struct verdict *v);
void probe_kernel_stacks(struct kernel *k, enum feature f, struct verdict *v);
void probe_user_registers(struct kernel *k, enum feature f, struct verdict *v);

/* ---- probe_tracefs.c ---- */

/* Writes the path "TRACEFS/file", and returns it. */
const char *probe_file(struct kernel *k, const char *file, char *path, size_t size);
/* Sets the verdict for a missing or unreadable file of tracefs: the feature may not be built in. */
void probe_not_built(enum feature f, const char *path, int error, struct verdict *v);
void probe_tracefs(struct kernel *k, enum feature f, struct verdict *v);
void probe_clock(struct kernel *k, enum feature f, struct verdict *v);
void probe_tracer(struct kernel *k, enum feature f, struct verdict *v);
void probe_syscalls(struct kernel *k, enum feature f, struct verdict *v);
void probe_instances(struct kernel *k, enum feature f, struct verdict *v);

/* ---- probe_events.c ---- */
void probe_events(struct kernel *k, enum feature f, struct verdict *v);
void probe_fetch(struct kernel *k, enum feature f, struct verdict *v);
void probe_uprobe_fetch(struct kernel *k, enum feature f, struct verdict *v);
void probe_room(struct kernel *k, enum feature f, struct verdict *v);

/* ---- probe_uprobe_instances.c ---- */
void probe_uprobe_instances(struct kernel *k, enum feature f, struct verdict *v);

#endif
