/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PLAN_MEMORY_H
#define SONDE_PLAN_MEMORY_H

#include "src/run/plan.h"

/*
 * The bytes that tables of BPF programs may take: a third of the available memory. The kernel
 * allocates tables in advance, and ends processes if memory is short. Returns 0 if the available
 * memory is unknown.
 */
uint64_t tables_memory(struct kernel *k);

/*
 * Halves the largest tables until all together take at most `bytes`, or have few entries. Returns
 * true if a table was halved.
 */
bool plan_fit(struct plan *p, uint64_t bytes);

#endif
