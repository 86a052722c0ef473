/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LOWER_INTERNAL_H
#define SONDE_LOWER_INTERNAL_H

#include <stdbool.h>
#include <string.h>

#include "insns/lower/emit.h"
#include "insns/lower/lower.h"

/* A loop whose iterations are a function: where it is in the program, and the function's labels. */
struct lo_iteration {
	unsigned int from, to;	/* its SYM_LOOP and SYM_AGAIN */
	int begin, broke, left;	/* `left`: the program goes on at `out`. -1: no jump goes there */
};

/* The state of one lowering. Functions below that return int return 0, or -1 with err set. */
struct lowerer {
	const struct program *p;
	const struct lowering *l;
	struct emitter e;
	struct error *err;
	int *labels;		/* for each LABEL of the program, by its index: the emitter's
				   label */
	unsigned int at;	/* index of the program's instruction being lowered */
	int exit_label;		/* of "r0 = 1; exit"; -1: no jump goes there */
	int context;		/* callee-saved register that holds the context; 0: it is in
				   CONTEXT_SLOT */
	bool context_in_r1;	/* r1 is still the context, as on entry */
	unsigned int next;	/* index of the one that is lowered next */
	bool calls;		/* iterations of loops are functions */
	/* iteration: being lowered; NULL: the program */
	struct lo_iteration iterations[LOOPS_MOST], *iteration;
	unsigned int n_iterations;
	bool dead;		/* unreachable: behind a jump, before the next used label */
};

/* The part of the stack below STACK_BOTTOM. */
#define CONTEXT_SLOT	(-488)
#define SCRATCH		(-496)	/* for reads of memory */
#define KEY_SCRATCH	(-504)

/* ---- lower.c ---- */

/* Writes that the program is invalid. Returns -1. */
int lo_broken(struct lowerer *lo, const struct insn *insn, const char *what, const char *name);
/* Returns true for TARGET_RING. */
bool lo_ring(const struct lowerer *lo);
/* Call a helper; register = register; register = number. */
void lo_call(struct lowerer *lo, int32_t helper);
void lo_move(struct lowerer *lo, int to, int from);
void lo_load_constant(struct lowerer *lo, int reg, int64_t value);
/* The emitter's label for the next LABEL of that name. */
int lo_forward_label(struct lowerer *lo, const struct insn *insn, const char *name);
/* The same for the SYM_ELSE behind this instruction. LO_NO_ELSE: none follows. */
#define LO_NO_ELSE (-2)
int lo_else_label(struct lowerer *lo);

/* Lowers the instructions from..to - 1. */
int lo_range(struct lowerer *lo, unsigned int from, unsigned int to);

/* ---- lower_constant.c ---- */

/* Looks up a constant. Returns false if there is none. */
bool lo_constant(const struct lowering *l, const char *name, int64_t *value);
/* The same without a kernel. Returns false also if the value is known only with one. */
bool lo_constant_now(const struct constant *options, enum target target, const char *name,
		     int64_t *value);

/* ---- lower_loop.c ---- */

/* Returns true if iterations of the program's loops are to be functions. */
bool lo_calls_loops(const struct lowerer *lo);
/* Lowers the functions of all loops; behind the program. */
int lo_iterations(struct lowerer *lo);
/* The emitter's label for one behind the loop whose function is being lowered. */
int lo_label_outside(struct lowerer *lo, const struct insn *insn, const char *name);

/* ---- lower_map.c ---- */

/* reg = a map; reg = an address on the stack */
int lo_load_map(struct lowerer *lo, int reg, const char *name);
/* reg = the address of the value of a map with one entry (FEATURE_BPF_DIRECT) */
int lo_load_value_of(struct lowerer *lo, int reg, const char *name);
void lo_stack_address(struct lowerer *lo, int reg, int off);
/* r0 = address of map[stack[key]], or 0 */
int lo_look_up(struct lowerer *lo, const char *map, int key);
/* Returns true if programs may change this CPU's values without atomic additions. */
bool lo_alone(const struct lowerer *lo);
/* If lo_alone(): the u64 at r0 + off += a register, or LO_ONE. Clobbers r1. */
void lo_add_alone(struct lowerer *lo, int off, int reg);
/* Amounts to add: a register, LO_ONE, or LO_KEPT, the number in SCRATCH. */
#define LO_ONE	0
#define LO_KEPT	(-1)
/* The u64 at r0 += amount. Clobbers r1. */
void lo_add_atomically(struct lowerer *lo, int amount);
/* map[stack[key]] += amount, of a hash. Clobbers r0 to r5 and, except for LO_KEPT, SCRATCH. */
int lo_add_to_hash(struct lowerer *lo, const char *map, int key, int amount);

/* ---- lower_memory.c ---- */

/* stack[off, n bytes] = 0 */
void lo_zero_stack(struct lowerer *lo, int off, int n);
/* The largest load or store of at most n bytes that is aligned at both offsets, in bytes. */
int lo_widest(int n, int a, int b);

/* ---- lower_input.c ---- */

/* The register that holds the context; it is loaded if necessary. */
int lo_context(struct lowerer *lo);
/* BPF_B to BPF_DW for a size in bytes. */
int lo_size(unsigned int size);
/* r1 = the address of stack[off], r2 = n: first arguments of every helper that fills memory */
void lo_buffer_arguments(struct lowerer *lo, int off, int n);
/* The helper that reads memory on this kernel. */
int32_t lo_read_helper(const struct lowerer *lo, bool user);
/* reg = an input, which must be a number */
int lo_load_input(struct lowerer *lo, int reg, const struct insn *insn, const struct input *in);

/* ---- lower_filter.c ---- */

/* The label of the program's end. */
int lo_exit_label(struct lowerer *lo);

/*
 * The input that this row compares. Returns NULL if the value is in FILTER's register, or if the
 * row compares none.
 */
const char *lo_filter_input(const struct filter_row *row);

/* ---- lower_caller.c ---- */

/* reg = an input with PLACE_CALLER */
int lo_caller(struct lowerer *lo, int reg, const struct input *in);

/* ---- lower_walk.c ---- */

/* number = the number of the event's stack in a map of kind MAP_WALKED, or -errno */
int lo_walk(struct lowerer *lo, int number, const struct map *map, bool user);

/* ---- lower_run.c ---- */

/* map[stack[key]]++, of a hash with `run` */
int lo_count_in_run(struct lowerer *lo, const struct insn *insn, const struct map *m);

/* ---- lower_output.c ---- */

/* .state[slot] += LO_ONE or LO_KEPT */
int lo_add_to_state(struct lowerer *lo, enum state_slot slot, int amount);
int lo_count(struct lowerer *lo, enum state_slot slot);	/* .state[slot]++ */
/* r0 = the address of .state[slot], or 0 */
int lo_look_up_state(struct lowerer *lo, enum state_slot slot);
/* r0 = .state[slot] */
int lo_state(struct lowerer *lo, enum state_slot slot);

/* ---- lower_stack.c ---- */

/* if (this part of the tables of stacks is closed) goto closed; clobbers r0 */
int lo_unless_open(struct lowerer *lo, unsigned int part, int closed);

/* ---- the symbolic instructions: a function each ---- */
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
int lo_path(struct lowerer *lo, const struct insn *insn);
int lo_peek(struct lowerer *lo, const struct insn *insn);
int lo_peek_user(struct lowerer *lo, const struct insn *insn);
int lo_follow(struct lowerer *lo, const struct insn *insn);
int lo_string(struct lowerer *lo, const struct insn *insn);
int lo_read_string(struct lowerer *lo, const struct insn *insn);
int lo_stack(struct lowerer *lo, const struct insn *insn);
int lo_output(struct lowerer *lo, const struct insn *insn);
int lo_count_full(struct lowerer *lo, const struct insn *insn);
int lo_count_call(struct lowerer *lo, const struct insn *insn);
int lo_count_switch(struct lowerer *lo, const struct insn *insn);
int lo_epoch(struct lowerer *lo, const struct insn *insn);
int lo_filter(struct lowerer *lo, const struct insn *insn);
int lo_filter_other(struct lowerer *lo, const struct insn *insn);
int lo_known(struct lowerer *lo, const struct insn *insn);
int lo_item(struct lowerer *lo, const struct insn *insn);
int lo_loop(struct lowerer *lo, const struct insn *insn);
int lo_again(struct lowerer *lo, const struct insn *insn);
int lo_unknown(struct lowerer *lo, const struct insn *insn);

#endif
