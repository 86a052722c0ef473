// SPDX-License-Identifier: GPL-2.0
#include "insns/lower/emit.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

#include "insns/insn.h"

void emit_reset(struct emitter *e)
{
	e->n = 0;
	e->n_labels = 0;
	e->source = 0;
	e->frame = e->raised = 0;
}

void emit_free(struct emitter *e)
{
	free(e->code);
	free(e->labels);
}

void emit_source(struct emitter *e, uint16_t source)
{
	e->source = source;
}

/* Returns true if the instruction makes an address of the stack by adding to a copy of r10. */
static bool makes_address(const struct emitter *e, const struct bpf_insn *insn)
{
	const struct bpf_insn *before = e->n ? &e->code[e->n - 1].insn : insn;

	return insn->code == (BPF_ALU64 | BPF_ADD | BPF_K) && insn->dst_reg == before->dst_reg &&
	       before->code == (BPF_ALU64 | BPF_MOV | BPF_X) &&
	       before->src_reg == (e->frame ? e->frame : BPF_REG_10);
}

/* What is below STACK_BOTTOM moves up; another register may be the frame pointer. */
static void place_stack(const struct emitter *e, struct bpf_insn *insn)
{
	const int class = BPF_CLASS(insn->code);
	const bool loads = class == BPF_LDX && insn->src_reg == BPF_REG_10,
		   stores = (class == BPF_ST || class == BPF_STX) && insn->dst_reg == BPF_REG_10;

	if ((loads || stores) && insn->off < STACK_BOTTOM)
		insn->off = (int16_t)(insn->off + e->raised);
	else if (insn->imm < STACK_BOTTOM && makes_address(e, insn))
		insn->imm += e->raised;
	if (e->frame && insn->dst_reg == BPF_REG_10)
		insn->dst_reg = e->frame & 15;
	if (e->frame && insn->src_reg == BPF_REG_10)
		insn->src_reg = e->frame & 15;
}

static void append(struct emitter *e, struct bpf_insn insn, int label)
{
	if (e->raised || e->frame)
		place_stack(e, &insn);
	if (e->n == e->room) {
		unsigned int room = e->room ? 2 * e->room : 256;
		struct emitted *code = realloc(e->code, room * sizeof(*code));

		if (!code) {
			e->failed = true;
			return;
		}
		e->code = code;
		e->room = room;
	}
	e->code[e->n++] = (struct emitted){ .insn = insn, .label = label, .source = e->source };
}

#ifndef NDEBUG
static bool is_label(const struct emitter *e, int label)
{
	return label >= 0 && (unsigned int)label < e->n_labels;
}
#endif

void emit(struct emitter *e, int code, int dst, int src, int off, int32_t imm)
{
	struct bpf_insn insn = {
		.code = (uint8_t)code, .dst_reg = dst & 15, .src_reg = src & 15,
		.off = (int16_t)off, .imm = imm,
	};

	assert(code == (uint8_t)code && off == (int16_t)off);
	assert(dst >= 0 && dst <= BPF_REG_10 && src >= 0 && src <= BPF_REG_10);
	append(e, insn, -1);
}

void emit_imm64(struct emitter *e, int dst, uint64_t value, int src)
{
	emit(e, BPF_LD | BPF_IMM | BPF_DW, dst, src, 0, (int32_t)value);
	emit(e, 0, 0, 0, 0, (int32_t)(value >> 32));
}

int emit_new_label(struct emitter *e)
{
	if (e->n_labels == e->label_room) {
		unsigned int room = e->label_room ? 2 * e->label_room : 64;
		unsigned int *labels = realloc(e->labels, room * sizeof(*labels));

		if (!labels) {
			e->failed = true;
			return 0;
		}
		e->labels = labels;
		e->label_room = room;
	}
	e->labels[e->n_labels] = UINT_MAX;
	return (int)e->n_labels++;
}

void emit_place(struct emitter *e, int label)
{
	assert(e->failed || (is_label(e, label) && e->labels[label] == UINT_MAX));
	if ((unsigned int)label < e->n_labels)
		e->labels[label] = e->n;
}

void emit_jump(struct emitter *e, int code, int dst, int src, int32_t imm, int label)
{
	struct bpf_insn insn = { .code = (uint8_t)code, .dst_reg = dst & 15, .src_reg = src & 15,
				 .imm = imm };

	assert(code == (uint8_t)code && (e->failed || is_label(e, label)));
	append(e, insn, label);
}

void emit_function(struct emitter *e, int dst, int label)
{
	struct bpf_insn insn = { .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = dst & 15,
				 .src_reg = BPF_OF_FUNCTION };

	assert(e->failed || is_label(e, label));
	append(e, insn, label);
	append(e, (struct bpf_insn){ }, -1);
}

/* A jump to the next instruction does nothing; compilers never write one. */
static bool is_idle(const struct emitter *e, unsigned int i)
{
	const struct emitted *at = &e->code[i];

	return at->insn.code == (BPF_JMP | BPF_JA) && at->label >= 0 &&
		e->labels[at->label] == i + 1;
}

int emit_finish(struct emitter *e, struct bpf_insn **insns, uint16_t **source, unsigned int *n)
{
	unsigned int *new_index = calloc(e->n + 1, sizeof(*new_index)), kept = 0;
	int result = -1;

	*insns = calloc(e->n + 1, sizeof(**insns));
	*source = calloc(e->n + 1, sizeof(**source));
	if (!new_index || !*insns || !*source || e->failed)
		goto out;
	for (unsigned int i = 0; i < e->n; i++) {
		new_index[i] = kept;
		if (is_idle(e, i))
			continue;
		(*insns)[kept] = e->code[i].insn;
		(*source)[kept++] = e->code[i].source;
	}
	new_index[e->n] = kept;
	for (unsigned int i = 0; i < e->n; i++) {
		const struct emitted *at = &e->code[i];
		long off;

		if (at->label < 0 || is_idle(e, i))
			continue;
		if (e->labels[at->label] > e->n)
			goto out;
		off = (long)new_index[e->labels[at->label]] - (long)new_index[i] - 1;
		if (off < INT16_MIN || off > INT16_MAX)
			goto out;
		if (BPF_IS_FUNCTION(&at->insn))
			(*insns)[new_index[i]].imm = (int32_t)off;
		else
			(*insns)[new_index[i]].off = (int16_t)off;
	}
	for (unsigned int i = 0; i < e->n_labels; i++)
		if (e->labels[i] <= e->n)
			e->labels[i] = new_index[e->labels[i]];
	*n = kept;
	result = 0;
out:
	free(new_index);
	if (result) {
		free(*insns);
		free(*source);
		*insns = NULL;
		*source = NULL;
	}
	return result;
}
