/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LOWER_INTERNAL_H
#define SONDE_LOWER_INTERNAL_H

#include <stdbool.h>
#include <string.h>

#include "insns/lower/emit.h"
#include "insns/lower/lower.h"

/* The state of one lowering. */
struct lowerer {
	const struct program *p;
	const struct lowering *l;
	struct emitter e;
	struct error *err;
	int *labels;		/* by instruction of the program: its emitter label, where it is
				   a LABEL */
	unsigned int at;	/* the instruction of the program that is lowered */
	int exit_label;		/* r0 = 1; exit; -1: no jump goes there */
	int context;		/* callee-saved register that holds the context; 0: CONTEXT_SLOT
				   does */
	bool context_in_r1;	/* r1 still is the context, as on entry */
	bool dead;		/* not reached: behind a jump, before a label that is used */
};

/* The part of the stack below STACK_BOTTOM. */
#define CONTEXT_SLOT	(-488)
#define SCRATCH		(-496)	/* what a dereference reads */
#define KEY_SCRATCH	(-504)

/* lower.c */
/* -1, and err */
int lo_broken(struct lowerer *lo, const struct insn *insn, const char *what, const char *name);
bool lo_constant(const struct lowering *l, const char *name, int64_t *value);
bool lo_ring(const struct lowerer *lo);
void lo_call(struct lowerer *lo, int32_t helper);
void lo_move(struct lowerer *lo, int to, int from);
void lo_load_constant(struct lowerer *lo, int reg, int64_t value);
/* The emitter's label for the next LABEL of that name; -1 and err: there is none. */
int lo_forward_label(struct lowerer *lo, const struct insn *insn, const char *name);
/* The same for the label of the SYM_ELSE behind this instruction; LO_NO_ELSE: none follows. */
#define LO_NO_ELSE (-2)
int lo_else_label(struct lowerer *lo);

/* lower_map.c */
int lo_load_map(struct lowerer *lo, int reg, const char *name);
void lo_stack_address(struct lowerer *lo, int reg, int off);
/* r0 = address of map[stack[key]], or 0 */
int lo_look_up(struct lowerer *lo, const char *map, int key);
/* May these programs change a value of this CPU's own without atomic additions? */
bool lo_alone(const struct lowerer *lo);
/* The u64 at r0 + off += a register, or LO_ONE, where they may. Clobbers r1. */
void lo_add_alone(struct lowerer *lo, int off, int reg);
/* What is added: a register, LO_ONE, or LO_KEPT, the number in SCRATCH. */
#define LO_ONE	0
#define LO_KEPT	(-1)
/* The u64 at r0 += amount. Clobbers r1. */
void lo_add_atomically(struct lowerer *lo, int amount);
/* map[stack[key]] += amount, of a hash. Clobbers r0 to r5, and SCRATCH but for LO_KEPT. */
int lo_add_to_hash(struct lowerer *lo, const char *map, int key, int amount);

/* lower_memory.c */
void lo_zero_stack(struct lowerer *lo, int off, int n);

/* lower_input.c */
int lo_context(struct lowerer *lo);
int lo_size(unsigned int size);		/* BPF_B to BPF_DW */
/* r1 = stack[off], r2 = n: the first arguments of every helper that fills memory */
void lo_buffer_arguments(struct lowerer *lo, int off, int n);
int32_t lo_read_helper(const struct lowerer *lo, bool user);
/* reg = a number; -1 and err: it is none */
int lo_load_input(struct lowerer *lo, int reg, const struct insn *insn, const struct input *in);

/* lower_filter.c */
/* The input of the event that this row compares; NULL: it is in FILTER's register, or none. */
const char *lo_filter_input(const struct filter_row *row);

/* lower_caller.c */
/* reg = the input of PLACE_CALLER */
int lo_caller(struct lowerer *lo, int reg, const struct input *in);

/* lower_walk.c */
/* number = that of the event's stack in a map of kind MAP_WALKED, or -errno */
int lo_walk(struct lowerer *lo, int number, const struct map *map, bool user);

/* lower_run.c */
/* map[stack[key]]++, of a hash whose `run` is not NULL */
int lo_count_in_run(struct lowerer *lo, const struct insn *insn, const struct map *m);

/* lower_output.c */
/* .state[slot] += LO_ONE or LO_KEPT */
int lo_add_to_state(struct lowerer *lo, enum state_slot slot, int amount);
int lo_count(struct lowerer *lo, enum state_slot slot);	/* .state[slot]++ */
/* r0 = .state[slot] */
int lo_state(struct lowerer *lo, enum state_slot slot);

/* lower_stack.c */
/* if (the part of the tables of stacks takes none) goto closed; clobbers r0 */
int lo_unless_open(struct lowerer *lo, unsigned int part, int closed);

/* One function for each symbolic instruction; 0, or -1 and err. */
int lo_map(struct lowerer *lo, const struct insn *insn);
int lo_lookup(struct lowerer *lo, const struct insn *insn);
int lo_update(struct lowerer *lo, const struct insn *insn);
int lo_delete(struct lowerer *lo, const struct insn *insn);
int lo_add(struct lowerer *lo, const struct insn *insn);
int lo_copy(struct lowerer *lo, const struct insn *insn);
int lo_zero(struct lowerer *lo, const struct insn *insn);
int lo_log2(struct lowerer *lo, const struct insn *insn);
int lo_field(struct lowerer *lo, const struct insn *insn);
int lo_bytes(struct lowerer *lo, const struct insn *insn);
int lo_peek(struct lowerer *lo, const struct insn *insn);
int lo_peek_user(struct lowerer *lo, const struct insn *insn);
int lo_follow(struct lowerer *lo, const struct insn *insn);
int lo_string(struct lowerer *lo, const struct insn *insn);
int lo_read_string(struct lowerer *lo, const struct insn *insn);
int lo_stack(struct lowerer *lo, const struct insn *insn);
int lo_output(struct lowerer *lo, const struct insn *insn);
int lo_count_full(struct lowerer *lo, const struct insn *insn);
int lo_count_call(struct lowerer *lo, const struct insn *insn);
int lo_epoch(struct lowerer *lo, const struct insn *insn);
int lo_filter(struct lowerer *lo, const struct insn *insn);
int lo_known(struct lowerer *lo, const struct insn *insn);

#endif
