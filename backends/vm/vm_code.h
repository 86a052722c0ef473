/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_VM_CODE_H
#define SONDE_VM_CODE_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/vm/vm.h"
#include "backends/vm/vm_maps.h"
#include "backends/vm/vm_strings.h"

/*
 * The inside of sonde's machine. When a checked program is loaded (backends/vm/vm.c), each
 * instruction becomes an operation with a function. As its last act the function calls that of the
 * next operation; the compiler makes a jump of it. An operation that goes back (RING_AGAIN) ends
 * instead, and vm_run() goes on, so even without that optimization a program needs no more stack
 * than it has operations.
 *
 *	vm_run.c	plain instructions, and running
 *	vm_calls.c	maps, and inputs from the event
 *	vm_host.c	maps that the machine's host answers for
 *	vm_joined.c	operations for several instructions at once
 */
#define VM_STACK OWN_STACK

struct op;
struct machine;
typedef void op_fn(const struct op *op, struct machine *m);

struct op {
	op_fn *run;
	uint64_t imm;		/* sign-extended; a map: its address; of a copy: its size */
	union {
		struct {
			int32_t off;
			int32_t from;	/* of a copy, or of an update's value: its offset */
		};
		const struct op *to;	/* of a jump */
		uint64_t inverse;	/* of a divisor: quotient() */
	};
	uint8_t dst, src;
};

struct code {
	struct op *ops;
	uint32_t record_bytes;	/* a record must have so many */
};

/* The state of a running program. */
struct machine {
	uint64_t r[11];
	const uint8_t *record;
	struct vm *vm;
	const struct sample *sample;
	const uint64_t *parts;	/* handles of the texts of the event's parts */
	unsigned int n_parts;
	const struct op *next;	/* what is run when this operation has ended; NULL: nothing */
	uint64_t iterations;	/* jumps back of this run since sonde is to end */
};

struct vm {
	/*
	 * The programs' stack ends where their registers are: its end, which they use most, is then
	 * no multiple of 4 KB away from these. Some processors take two such addresses for one.
	 */
	uint64_t stack[VM_STACK / 8];
	struct machine machine;
	struct map *maps_declared;
	struct vm_map *maps;
	unsigned int n_maps;
	struct code *programs;
	unsigned int n_programs;
	struct strings strings;
	vm_output_fn output;
	void *arg;
	uint64_t now;		/* time of the last event */
	uint32_t refused;	/* updates counted in this run that the program has not reported
				   yet */
	struct vm_stats stats;
	const struct vm_host *host;	/* NULL: no map has one */
	struct stack_crowd crowd;
};

/* The run took as long as so many jumps back take. */
void vm_took(struct machine *m, uint64_t iterations);

/* Returns true for a division by a constant that an operation can replace by its inverse: not 1. */
static inline bool has_inverse(const struct bpf_insn *insn)
{
	return insn->code == (BPF_ALU64 | BPF_DIV | BPF_K) && (uint32_t)insn->imm > 1;
}

/* The function for an instruction of each kind. Return NULL for one that the checker refuses. */
op_fn *plain_op(const struct bpf_insn *insn);
op_fn *call_op(const struct bpf_insn *insn);
/* The same for an operation on a MAP_HOST. */
op_fn *host_op(const struct bpf_insn *insn);
/*
 * A function for `insn`, the first of n, together with instructions behind it. Returns NULL if
 * there is none. The instructions behind it have operations of their own too, for jumps to them.
 */
op_fn *joined_op(const struct bpf_insn *insn, unsigned int n, const struct vm_map *maps);

typedef uint8_t __attribute__((may_alias)) mem8;
typedef uint16_t __attribute__((may_alias)) mem16;
typedef uint32_t __attribute__((may_alias)) mem32;
typedef uint64_t __attribute__((may_alias)) mem64;

/* The value of a register as a pointer. */
static inline void *address(uint64_t reg)
{
	return (void *)(uintptr_t)reg;
}

/* The slot of a value in a histogram: insns/hist.h. */
static inline uint64_t log2_slot(uint64_t value)
{
	unsigned int bits = value < 8 ? 0 : 60 - (unsigned int)__builtin_clzll(value);

	return 8 * bits + (value >> bits);
}

/*
 * n / d by multiplications, in a third of the time. `inverse` is 2^64 / d, rounded up by less than
 * 1, so n * inverse / 2^64 exceeds n / d by less than n / 2^64. If n and d have 32 bits, that is
 * less than 1 / d, and the whole part is the same. If d has more, the product is below 2^64 and the
 * whole part is 0, which is right. Times have 32 bits up to four seconds.
 */
static inline uint64_t quotient(uint64_t n, uint64_t d, uint64_t inverse)
{
	if (n >> 32)
		return n / d;
	return (n * (inverse >> 32) + (n * (uint32_t)inverse >> 32)) >> 32;
}

/*
 * Defines an operation. It ends by running another: the next, the N-th from it, or a jump's target.
 */
#define OP(NAME) static void NAME(const struct op *op, struct machine *m)
#define GO_TO(OP) do { op = (OP); op->run(op, m); } while (0)
#define GO_ON(N) GO_TO(op + (N))
#define NEXT GO_ON(1)

#define DST m->r[op->dst]
#define SRC m->r[op->src]
/* The memory of one of the kernel's instructions, and of one of sonde's own: its stack. */
#define MEMORY(REG, OFF) address(m->r[REG] + (uint64_t)(int64_t)(OFF))
#define ON_STACK(OFF) ((uint8_t *)m - offsetof(struct vm, machine) + VM_STACK + (OFF))

#endif
