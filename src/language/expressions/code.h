/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_CODE_H
#define SONDE_LANG_CODE_H

#include <string.h>

#include "insns/program.h"
#include "src/language/expressions/inputs.h"

/*
 * A program made at run time. While values are computed they are in r6 to r8, or on the stack if
 * registers run out. They have 64 bits, extended as their types say. Lowering uses r9.
 */
#define FRAME_BYTES 480
#define OWN_FRAME_BYTES (OWN_STACK - 8)	/* lowering uses the rest */

struct code {
	struct insn *insns;
	unsigned int n, room;
	char **labels;
	unsigned int n_labels;
	unsigned int frame;		/* bytes of the stack in use */
	unsigned int least;		/* the most that were in use at one time */
	const struct scope *scope;
	int pid_tgid;			/* where the stack has it; 0: nowhere */
	bool big_endian;
	unsigned int loops;		/* own: those through maps, so far */
	bool own;			/* only sonde's machine runs it, for its own events */
	bool failed;			/* out of memory */
	bool full;			/* the stack is too small */
};

/* Adds one instruction: the eight bytes of its `bpf`, its name and its symbol. */
void code_put(struct code *c, uint64_t bpf, const char *name, enum symbolic symbol);
/* The same of a macro of insns/insn.h. As numbers in registers a call takes half the room. */
__attribute__((always_inline)) static inline void code_add(struct code *c, struct insn insn)
{
	uint64_t bpf;

	memcpy(&bpf, &insn.bpf, sizeof(bpf));
	code_put(c, bpf, insn.name, insn.symbol);
}
#define CODE(C, ...) code_add(C, (struct insn)__VA_ARGS__)

/* JUMP_UNLESS of insns/insn.h, which is two instructions. */
void code_unless(struct code *c, const char *option, const char *label);
/* The register = the number. */
void code_constant(struct code *c, int reg, uint64_t value);
/* A new label's name, owned by the code. */
const char *code_label(struct code *c);
/* Reserves stack. Returns the offset from r10, a multiple of 8. */
int code_room(struct code *c, unsigned int size);

/* r6 = the value. If it is missing, goes to the label `fault`, unless that is NULL. */
void code_value(struct code *c, const struct node *n, const char *fault);
/*
 * The same into the register of this depth. Registers of lower depths are kept, registers of higher
 * depths are free. Reading a text uses r8 at any depth.
 */
void code_value_at(struct code *c, const struct node *n, int depth, const char *fault);
/* Goes to the label `no` if the value is 0, and to `fault` as code_value(). Clobbers r6. */
void code_condition(struct code *c, const struct node *n, const char *no, const char *fault);
/* The register of a depth. */
int code_register(int depth);
/* stack[off, size bytes] = the text; r0 = its length with the NUL, negative if it is unreadable. */
void code_text(struct code *c, const struct text_node *text, int off, unsigned int size);
void code_text_at(struct code *c, const struct text_node *text, int off, unsigned int size,
		  int depth);

/* Adds the end of the program, at the label `out`. Returns -1 if there was no memory. */
int code_end(struct code *c);
/* Bytes of the stack that the program may use. */
static inline unsigned int code_frame_most(const struct code *c)
{
	return c->own ? OWN_FRAME_BYTES : FRAME_BYTES;
}

/* Frees the instructions and labels. */
void code_free(struct code *c);

#endif
