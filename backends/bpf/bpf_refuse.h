/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_REFUSE_H
#define SONDE_BPF_REFUSE_H

#include "backends/backend.h"

/*
 * refuse() of backend.h: BPF of the first kernels that have it can't do all, whatever probes they
 * take.
 */
int bpf_refuse(struct kernel *k, const struct plan *plan, struct error *err);

#endif
