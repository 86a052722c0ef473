/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_REFUSE_H
#define SONDE_BPF_REFUSE_H

#include "backends/backend.h"

/*
 * What BPF of the first kernels that have it can't do, whatever probes they take: -1 and why this
 * plan needs it. As backend.h says of refuse().
 */
int bpf_refuse(struct kernel *k, const struct plan *plan, struct error *err);

#endif
