/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_STACKS_H
#define SONDE_BPF_STACKS_H

#include "backends/backend.h"
#include "backends/bpf/bpf_take.h"

/*
 * The kernel's tables of stacks, which keep each stack until it is deleted. Programs add stacks
 * only to open parts (STACK_PARTS, .state), so a closed part does not change. There sonde deletes
 * the stacks that no map, no record and no holder uses; then the part is opened again.
 */
struct bpf_stacks {
	const struct plan *plan;
	const int *fds;				/* of the plan's maps */
	int state;				/* file descriptor of .state */
	struct bpf_take *take;
	FILE *verbose;
	uint64_t round;				/* the value in .state */
	struct stack_crowd crowds[STACK_PARTS];
};

/* renew() of backend.h; settle() hands over all records from before its call. */
typedef int bpf_settle_fn(struct engine *e, const struct stack_holders *holders,
			  struct error *err);
int bpf_stacks_renew(struct bpf_stacks *b, bpf_settle_fn *settle, struct engine *e,
		     const struct stack_holders *holders, struct error *err);
/*
 * Reads stack `number`: addresses, then zeros. `map`: the first table. Returns -1 if there is no
 * such stack.
 */
int bpf_stacks_get(const struct bpf_stacks *b, unsigned int map, uint32_t number, void *value);

#endif
