/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_REFUSE_H
#define SONDE_BPF_REFUSE_H

#include "backends/backend.h"

/*
 * refuse() of backend.h: the first kernels with BPF can't do everything, even if they have all
 * probes.
 */
int bpf_refuse(struct kernel *k, const struct plan *plan, struct error *err);

#endif
