/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PLAN_MEMORY_H
#define SONDE_PLAN_MEMORY_H

#include "src/plan.h"

/*
 * What the tables of BPF programs may take: the kernel allocates them in advance, and where memory
 * gets short it ends processes. A third of what is available, in bytes; 0: not known.
 */
uint64_t tables_memory(struct kernel *k);

/*
 * Halves the largest tables until all take so many bytes at most, or have few entries. Returns
 * whether it had to.
 */
bool plan_fit(struct plan *p, uint64_t bytes);

#endif
