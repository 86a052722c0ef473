/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CHECK_STATE_H
#define SONDE_CHECK_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "insns/verifier/check.h"

/*
 * What the checker knows of registers and stack before an instruction, and how an instruction
 * changes that. Only for insns/verifier/check.c and its parts. Functions that return int return 0,
 * or -1 after refuse().
 */
enum reg_type {
	REG_UNSET,		/* not set on some path, or different on two paths */
	REG_NUMBER,
	REG_CONTEXT,
	REG_ADDRESS,		/* the context plus a number: only a helper may read there */
	REG_FRAME,		/* r10 or a copy of it */
	REG_STACK,		/* r10 + off */
	REG_MAP,
	REG_VALUE_OR_NULL,	/* the result of a lookup */
	REG_VALUE,		/* the same, after a test that it is not NULL */
	REG_TASK,		/* the current task, of a known type: as STRUCT */
	REG_REGISTERS,		/* the saved registers of user space: for loads */
	REG_FUNCTION,		/* a function of the program, at the instruction `off` */
	REG_STRUCT,		/* a struct of the kernel, of a known type, + off: for loads */
};

struct reg {
	uint8_t type;
	uint16_t map;		/* MAP, VALUE: its number */
	int32_t off;		/* STACK: from r10; VALUE, STRUCT: from the start */
	uint64_t min, max;	/* NUMBER, unsigned; equal: a known constant */
	/* NUMBER: a member of a struct may be a pointer to another one; NOT_NULL: for loads */
	enum member_of_struct { NO_MEMBER, OR_NULL, NOT_NULL } member;
};

#define STACK_WORDS (STACK_SIZE / 8)

struct state {
	struct reg regs[11];
	/*
	 * pointers in 8 bytes of the stack, which then do not count as `written`, those at r10 - 8
	 * first
	 */
	struct reg spilled[STACK_WORDS];
	/* a bit for each byte of the stack with data, the one at r10 - 1 first; of stack_size() */
	uint64_t written[OWN_STACK / 64];
};

struct checker {
	const struct bpf_insn *insns;
	unsigned int n;
	const struct check *c;
	const struct generation *g;
	uint32_t record_bytes;		/* bytes of the record that the program reads */
	struct error *err;
	/* by instruction: the state that jumps back, or turns of functions, come with; or NULL */
	struct state **heads;
	unsigned int *calls;		/* of a call of bpf_loop(): where its function begins */
	bool changed;			/* this pass has changed one of `heads` */
};

/* Writes which rule instruction `at` breaks. Returns -1. */
int refuse(const struct checker *ck, unsigned int at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Bytes of the stack. */
static inline int stack_size(const struct checker *ck)
{
	return ck->g->own ? OWN_STACK : STACK_SIZE;
}

/* Bytes of a state: what is behind them has no meaning. */
static inline size_t state_size(const struct checker *ck)
{
	return offsetof(struct state, written) + (size_t)stack_size(ck) / 8;
}

/* Copies a state. */
static inline void state_copy(const struct checker *ck, struct state *to, const struct state *from)
{
	memcpy(to, from, state_size(ck));
}

/* Requires that all fields of the instruction but the used ones are 0. */
enum { USES_DST = 1, USES_SRC = 2, USES_OFF = 4, USES_IMM = 8 };
int unused_fields(struct checker *ck, unsigned int at, int used);

/* The state at the beginning of a program. */
void state_start(const struct checker *ck, struct state *s);
/* Merges the states of two paths that meet: keeps what is known on both. */
void state_merge(const struct checker *ck, struct state *into, const struct state *from);
/* Returns true if a walk from `old` has checked all that a walk from `s` would. */
bool state_covers(const struct checker *ck, const struct state *old, const struct state *s);
/* Return whether bytes of the stack are written; write them. `off` is from r10. */
bool stack_written(const struct state *s, int off, unsigned int size);
void stack_write(struct state *s, int off, unsigned int size);

/* A number between min and max. */
struct reg reg_number(uint64_t min, uint64_t max);
/* Returns true for a known number. */
static inline bool reg_constant(const struct reg *r)
{
	return r->type == REG_NUMBER && r->min == r->max;
}
/* The type of a register in words, for messages. */
const char *reg_text(const struct reg *r);

/* Carries out any instruction but jumps and exit. */
int step(struct checker *ck, struct state *s, unsigned int at);
/* Carries out a call (insns/verifier/check_call.c). */
int step_call(struct checker *ck, struct state *s, unsigned int at);
/* The virtual machine's own instructions (insns/verifier/check_ring.c). */
bool is_ring_insn(const struct checker *ck, const struct bpf_insn *insn);
int form_ring(struct checker *ck, unsigned int at);
int step_ring(struct checker *ck, struct state *s, unsigned int at);
/* Checks the operands of a jump; at exit, that the program may end. */
int step_jump(struct checker *ck, const struct state *s, unsigned int at);
/* A jump back to `target`, with the state (insns/verifier/check_loop.c). */
int loop_back(struct checker *ck, unsigned int target, const struct state *s);
/* Adds to *s, if it is `live`, what came back to this instruction. */
void loop_enter(const struct checker *ck, unsigned int at, struct state *s, bool live);
/* bpf_loop() is called. */
int loop_call(struct checker *ck, struct state *s, unsigned int at);
/* The end of the program, or of a function. */
int loop_return(struct checker *ck, const struct state *s, unsigned int at);
/* Narrows the compared register: the jump is taken, or it is not. */
void refine(const struct bpf_insn *insn, struct state *s, bool taken);

#endif
