/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PERF_REFUSE_H
#define SONDE_PERF_REFUSE_H

#include "backends/backend.h"

/* refuse() of backend.h: why this kernel's perf can't serve a plan that other rings can. */
int perf_refuse(struct kernel *k, const struct plan *plan, struct error *err);
/* The part of the plan's scope that the stream has to follow, because samples do not tell it. */
struct task_scope perf_rest_of(struct kernel *k, const struct plan *plan);

#endif
