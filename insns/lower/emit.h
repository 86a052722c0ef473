/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EMIT_H
#define SONDE_EMIT_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>
/* An instruction; a jump still has a label instead of an offset. */
struct emitted {
	struct bpf_insn insn;
	int label;		/* -1: not a jump */
	uint16_t source;	/* index of the program's instruction */
};

struct emitter {
	struct emitted *code;
	unsigned int n, room;
	unsigned int *labels;	/* the index that each label is at; UINT_MAX: not placed yet */
	unsigned int n_labels, label_room;
	uint16_t source;
	/* the register that is written for r10; 0: r10 itself */
	int frame;
	/* the stack below STACK_BOTTOM is so many bytes further up */
	int raised;
	bool failed;		/* out of memory: emit_finish() reports it */
};

/* Drops all instructions and labels; keeps the memory for the next program. */
void emit_reset(struct emitter *e);
void emit_free(struct emitter *e);
/* Sets the source of instructions from here on. */
void emit_source(struct emitter *e, uint16_t source);
/* Add an instruction; one that loads 64 bits; a label, its place here, a jump to it. */
void emit(struct emitter *e, int code, int dst, int src, int off, int32_t imm);
void emit_imm64(struct emitter *e, int dst, uint64_t value, int src);
int emit_new_label(struct emitter *e);
void emit_place(struct emitter *e, int label);
void emit_jump(struct emitter *e, int code, int dst, int src, int32_t imm, int label);
/* dst = the function at the label. */
void emit_function(struct emitter *e, int dst, int label);

/*
 * Returns all instructions and their sources, with offsets in jumps. The caller frees both. The
 * labels become indexes of these instructions. Returns -1 if a jump is too long, or there is no
 * memory.
 */
int emit_finish(struct emitter *e, struct bpf_insn **insns, uint16_t **source, unsigned int *n);

#endif
