/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CHECK_STATE_H
#define SONDE_CHECK_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "insns/verifier/check.h"

/*
 * What the checker knows of registers and stack before an instruction, and how an instruction
 * changes that. Only for insns/verifier/check.c and its parts.
 */
enum reg_type {
	REG_UNSET,		/* not set on some path here, or not the same on all */
	REG_NUMBER,
	REG_CONTEXT,
	REG_ADDRESS,		/* the context plus a number: only a helper may read there */
	REG_FRAME,		/* r10 or a copy of it */
	REG_STACK,		/* r10 + off */
	REG_MAP,
	REG_VALUE_OR_NULL,	/* what a lookup returned */
	REG_VALUE,		/* the same, tested */
	REG_TASK,		/* the current task, of a type that the kernel knows */
	REG_REGISTERS,		/* where the kernel saved those of user space: for loads */
};

struct reg {
	uint8_t type;
	uint16_t map;		/* MAP, VALUE: its number */
	int32_t off;		/* STACK: from r10; VALUE: from its start */
	uint64_t min, max;	/* NUMBER, unsigned; equal: a known constant */
};

#define STACK_SIZE 512
#define STACK_WORDS (STACK_SIZE / 8)

struct state {
	struct reg regs[11];
	uint64_t written[STACK_WORDS / 8];	/* a bit for each byte of the stack that holds
						   data, the lowest first */
	struct reg spilled
		[STACK_WORDS]; /* pointers stored in 8 bytes of the stack, which are then not
			          `written` */
};

struct checker {
	const struct bpf_insn *insns;
	unsigned int n;
	const struct check *c;
	const struct generation *g;
	uint32_t record_bytes;		/* the program reads so many bytes of its record */
	struct error *err;
};

/* Says which rule instruction `at` breaks; returns -1. */
int refuse(const struct checker *ck, unsigned int at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The fields of an instruction that mean something; the others must be 0. */
enum { USES_DST = 1, USES_SRC = 2, USES_OFF = 4, USES_IMM = 8 };
int unused_fields(struct checker *ck, unsigned int at, int used);

void state_start(struct state *s);
/* What is known where two paths meet. */
void state_merge(struct state *into, const struct state *from);
/* Has a walk from `old` shown all that a walk from `s` would? */
bool state_covers(const struct state *old, const struct state *s);
bool stack_written(const struct state *s, int off, unsigned int size);	/* off from r10 */
void stack_write(struct state *s, int off, unsigned int size);

struct reg reg_number(uint64_t min, uint64_t max);
static inline bool reg_constant(const struct reg *r)
{
	return r->type == REG_NUMBER && r->min == r->max;
}
const char *reg_text(const struct reg *r);

/* Carries out any instruction but jumps and exit. */
int step(struct checker *ck, struct state *s, unsigned int at);
/* Carries out a call; insns/verifier/check_call.c. */
int step_call(struct checker *ck, struct state *s, unsigned int at);
/* The virtual machine's own instructions; insns/verifier/check_ring.c. */
bool is_ring_insn(const struct checker *ck, const struct bpf_insn *insn);
int form_ring(struct checker *ck, unsigned int at);
int step_ring(struct checker *ck, struct state *s, unsigned int at);
/* May these operands be compared; may the program end here? */
int step_jump(struct checker *ck, const struct state *s, unsigned int at);
/* What a comparison tells of its register if the jump is taken, and if it is not. */
void refine(const struct bpf_insn *insn, struct state *s, bool taken);

#endif
