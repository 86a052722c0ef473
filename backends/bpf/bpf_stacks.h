/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_STACKS_H
#define SONDE_BPF_STACKS_H

#include "backends/backend.h"
#include "backends/bpf/bpf_take.h"

/*
 * The kernel's tables of stacks, which keep each stack until it is deleted. A program puts stacks
 * only into parts that are open (STACK_PARTS, .state), so what is in a closed one changes no more:
 * whatever no map, no record and no holder refers to is deleted there, and then it opens again.
 */
struct bpf_stacks {
	const struct plan *plan;
	const int *fds;				/* of the plan's maps */
	int state;				/* that of .state */
	struct bpf_take *take;
	FILE *verbose;
	uint64_t round;				/* what is in .state */
	struct stack_crowd crowds[STACK_PARTS];
};

/* renew() of backend.h; settle() hands over all records from before its call. */
typedef int bpf_settle_fn(struct engine *e, const struct stack_holders *holders,
			  struct error *err);
int bpf_stacks_renew(struct bpf_stacks *b, bpf_settle_fn *settle, struct engine *e,
		     const struct stack_holders *holders, struct error *err);
/* The stack `number`, zeros behind its addresses; -1: there is none. `map`: the first table. */
int bpf_stacks_get(const struct bpf_stacks *b, unsigned int map, uint32_t number, void *value);

#endif
