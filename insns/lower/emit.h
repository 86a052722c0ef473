/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EMIT_H
#define SONDE_EMIT_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>

/* An instruction whose jump, if it is one, still names a label. */
struct emitted {
	struct bpf_insn insn;
	int label;		/* -1: no jump */
	uint16_t source;
};

struct emitter {
	struct emitted *code;
	unsigned int n, room;
	unsigned int *labels;	/* the place of each; UINT_MAX: not placed yet */
	unsigned int n_labels, label_room;
	uint16_t source;
	bool failed;		/* out of memory: emit_finish() tells */
};

void emit_reset(struct emitter *e);
void emit_free(struct emitter *e);
void emit_source(struct emitter *e, uint16_t source);	/* of what is emitted from here on */
void emit(struct emitter *e, int code, int dst, int src, int off, int32_t imm);
void emit_imm64(struct emitter *e, int dst, uint64_t value, int src);
int emit_new_label(struct emitter *e);
void emit_place(struct emitter *e, int label);
void emit_jump(struct emitter *e, int code, int dst, int src, int32_t imm, int label);

/* All of it, with offsets for labels; -1: too long, or out of memory. The caller frees both. */
int emit_finish(struct emitter *e, struct bpf_insn **insns, uint16_t **source, unsigned int *n);

#endif
