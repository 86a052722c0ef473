// SPDX-License-Identifier: GPL-2.0
#include "insns/lower/disasm.h"

#include <string.h>

#include "compat/base/text.h"
#include "insns/lower/helpers.h"
#include "insns/lower/notes.h"

static const char *const alu_signs[16] = {
	[BPF_ADD >> 4] = "+=",	[BPF_SUB >> 4] = "-=",	[BPF_MUL >> 4] = "*=",
	[BPF_DIV >> 4] = "/=",	[BPF_OR >> 4] = "|=",	[BPF_AND >> 4] = "&=",
	[BPF_LSH >> 4] = "<<=", [BPF_RSH >> 4] = ">>=", [BPF_MOD >> 4] = "%=",
	[BPF_XOR >> 4] = "^=",	[BPF_MOV >> 4] = "=",	[BPF_ARSH >> 4] = "s>>=",
};

static const char *const jump_signs[16] = {
	[BPF_JEQ >> 4] = "==",	 [BPF_JGT >> 4] = ">",	  [BPF_JGE >> 4] = ">=",
	[BPF_JSET >> 4] = "&",	 [BPF_JNE >> 4] = "!=",	  [BPF_JSGT >> 4] = "s>",
	[BPF_JSGE >> 4] = "s>=", [BPF_JLT >> 4] = "<",	  [BPF_JLE >> 4] = "<=",
	[BPF_JSLT >> 4] = "s<",	 [BPF_JSLE >> 4] = "s<=",
};

static const char *const unsigned_types[4] = {
	[BPF_W >> 3] = "u32", [BPF_H >> 3] = "u16", [BPF_B >> 3] = "u8", [BPF_DW >> 3] = "u64",
};

static const char *const signed_types[4] = {
	[BPF_W >> 3] = "s32", [BPF_H >> 3] = "s16", [BPF_B >> 3] = "s8", [BPF_DW >> 3] = "s64",
};

static const char *type(const struct bpf_insn *insn)
{
	return unsigned_types[BPF_SIZE(insn->code) >> 3];
}

static void unknown(const struct bpf_insn *insn, char *text, size_t size)
{
	snprintf(text, size, "unknown instruction %02x", insn->code);
}

static void disasm_alu(const struct bpf_insn *insn, char *text, size_t size)
{
	char reg = BPF_CLASS(insn->code) == BPF_ALU64 ? 'r' : 'w';
	const char *sign = alu_signs[BPF_OP(insn->code) >> 4];

	if (BPF_OP(insn->code) == BPF_END)
		text_cut(text, size, "r%d = %s%d r%d", insn->dst_reg,
			 BPF_SRC(insn->code) == BPF_TO_BE ? "be" : "le", insn->imm, insn->dst_reg);
	else if (BPF_OP(insn->code) == BPF_NEG)
		snprintf(text, size, "%c%d = -%c%d", reg, insn->dst_reg, reg, insn->dst_reg);
	else if (!sign)
		unknown(insn, text, size);
	else if (BPF_SRC(insn->code) == BPF_X)
		text_cut(text, size, "%c%d %s %c%d", reg, insn->dst_reg, sign, reg, insn->src_reg);
	else
		text_cut(text, size, "%c%d %s %d", reg, insn->dst_reg, sign, insn->imm);
}

static void disasm_jump(const struct bpf_insn *insn, char *text, size_t size)
{
	const char *sign = jump_signs[BPF_OP(insn->code) >> 4];
	const struct helper *h = helper_by_number(insn->imm);

	if (BPF_OP(insn->code) == BPF_EXIT)
		snprintf(text, size, "exit");
	else if (BPF_OP(insn->code) == BPF_JA)
		snprintf(text, size, "goto pc%+d", insn->off);
	else if (BPF_OP(insn->code) == BPF_CALL && h)
		text_cut(text, size, "call %s", h->name);
	else if (BPF_OP(insn->code) == BPF_CALL)
		snprintf(text, size, "call %d", insn->imm);
	else if (!sign)
		unknown(insn, text, size);
	else if (BPF_SRC(insn->code) == BPF_X)
		text_cut(text, size, "if r%d %s r%d goto pc%+d", insn->dst_reg, sign, insn->src_reg,
			 insn->off);
	else
		text_cut(text, size, "if r%d %s 0x%x goto pc%+d", insn->dst_reg, sign,
			 (unsigned int)insn->imm, insn->off);
}

static void disasm_load(const struct bpf_insn *insn, char *text, size_t size)
{
	if (BPF_MODE(insn->code) == BPF_ABS)
		text_cut(text, size, "r%d = *(%s *)record[%d]", insn->dst_reg,
			 insn->src_reg ? signed_types[BPF_SIZE(insn->code) >> 3] : type(insn),
			 insn->imm);
	else if (insn->code != (BPF_LD | BPF_IMM | BPF_DW))
		unknown(insn, text, size);
	else if (insn->src_reg == BPF_PSEUDO_MAP_FD)
		snprintf(text, size, "r%d = map[%d]", insn->dst_reg, insn->imm);
	else if (BPF_IS_FUNCTION(insn))
		snprintf(text, size, "r%d = function pc%+d", insn->dst_reg, insn->imm);
	else if (insn->src_reg == BPF_OF_MAP_VALUE)
		snprintf(text, size, "r%d = map[%d][0]+0", insn->dst_reg, insn->imm);
	else
		snprintf(text, size, "r%d = 0x%llx", insn->dst_reg,
			 (unsigned long long)((uint32_t)insn[0].imm |
					      (uint64_t)(uint32_t)insn[1].imm << 32));
}

/* Writes an instruction of the virtual machine. maps: NULL to show their numbers. */
static void disasm_ring(const struct bpf_insn *insn, const struct map *maps, char *text,
			size_t size)
{
	int map = insn_map(insn);
	char name[48];

	if (maps && map >= 0)
		text_cut(name, sizeof(name), "map[%s]", maps[map].name);
	else
		snprintf(name, sizeof(name), "map[%d]", map);
	switch (insn->code) {
	case RING_STACK_ADDRESS:
		snprintf(text, size, "r%d = r10 %+d", insn->dst_reg, insn->off);
		break;
	case RING_LOOKUP:
		text_cut(text, size, "r0 = &%s[*(r10 %+d)]", name, insn->off);
		break;
	case RING_UPDATE:
		text_cut(text, size, "r0 = %s[*(r10 %+d)] = *(r10 %+d)%s", name, insn->off,
			 RING_UPDATE_VALUE(insn->imm),
			 insn->dst_reg == BPF_NOEXIST ? " if new" : "");
		break;
	case RING_DELETE:
		text_cut(text, size, "r0 = delete %s[*(r10 %+d)]", name, insn->off);
		break;
	case RING_ADD:
		if (insn->src_reg)
			text_cut(text, size, "%s[*(r10 %+d)] += r%d", name, insn->off,
				 insn->src_reg);
		else
			text_cut(text, size, "%s[*(r10 %+d)]++", name, insn->off);
		break;
	case RING_COPY:
		snprintf(text, size, "copy r%d %+d, r%d %+d, %d bytes", insn->dst_reg, insn->off,
			 insn->src_reg,
			 COPY_FROM_OF(insn->imm), COPY_SIZE_OF(insn->imm));
		break;
	case RING_ZERO:
		snprintf(text, size, "zero r10 %+d, %d bytes", insn->off, insn->imm);
		break;
	case RING_AGAIN:
		snprintf(text, size, "again pc%+d", insn->off);
		break;
	case RING_LOG2:
		snprintf(text, size, "r%d = log2 slot of r%d", insn->dst_reg, insn->src_reg);
		break;
	default:
		unknown(insn, text, size);
	}
}

void disasm(const struct bpf_insn *insn, char *text, size_t size)
{
	switch (BPF_CLASS(insn->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		disasm_alu(insn, text, size);
		return;
	case BPF_JMP:
		disasm_jump(insn, text, size);
		return;
	case RING_INSN(0):
		disasm_ring(insn, NULL, text, size);
		return;
	case BPF_LD:
		disasm_load(insn, text, size);
		return;
	case BPF_LDX:
		if (BPF_MODE(insn->code) != BPF_MEM)
			break;
		text_cut(text, size, "r%d = *(%s *)(r%d %+d)", insn->dst_reg, type(insn),
			 insn->src_reg, insn->off);
		return;
	case BPF_ST:
		if (BPF_MODE(insn->code) != BPF_MEM)
			break;
		text_cut(text, size, "*(%s *)(r%d %+d) = %d", type(insn), insn->dst_reg, insn->off,
			 insn->imm);
		return;
	case BPF_STX:
		if (BPF_IS_CMPXCHG(insn))
			text_cut(text, size, "r0 = cmpxchg(*(%s *)(r%d %+d), r0, r%d)", type(insn),
				 insn->dst_reg, insn->off, insn->src_reg);
		else if (BPF_MODE(insn->code) == BPF_XADD)
			text_cut(text, size, "lock *(%s *)(r%d %+d) += r%d", type(insn),
				 insn->dst_reg, insn->off, insn->src_reg);
		else if (BPF_MODE(insn->code) == BPF_MEM)
			text_cut(text, size, "*(%s *)(r%d %+d) = r%d", type(insn), insn->dst_reg,
				 insn->off, insn->src_reg);
		else
			break;
		return;
	}
	unknown(insn, text, size);
}

/* Only file names are compared: the path depends on where the compiler was started. */
static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const char *source_note(const char *file, unsigned int line)
{
	for (const struct note_file *f = note_files; file && f->file; f++) {
		if (strcmp(base_name(f->file), base_name(file)))
			continue;
		for (const struct note *n = f->notes; n->text; n++)
			if (n->line == line)
				return n->text;
	}
	return NULL;
}

/*
 * The name that an instruction is about, if its text does not have it: memory that it reads or
 * writes, an input, a constant, the label of a jump. Returns NULL if the text has it.
 */
static const char *told_name(const struct insn *source)
{
	switch (source->symbol) {
	case PLAIN:
	case SYM_JUMP:
	case SYM_FIELD:
	case SYM_BYTES:
	case SYM_STRING:
	case SYM_CONST:
	case SYM_STACK:
	case SYM_PATH:
	case SYM_PEEK:
	case SYM_COPY:
	case SYM_ZERO:
		return source->name;
	default:
		return NULL;
	}
}

static bool is_target(const struct lowered *l, unsigned int at)
{
	for (unsigned int i = 0; i < at; i++) {
		const struct bpf_insn *insn = &l->insns[i];

		if (BPF_CLASS(insn->code) == BPF_JMP && BPF_OP(insn->code) != BPF_CALL &&
		    BPF_OP(insn->code) != BPF_EXIT && i + 1 + (unsigned int)insn->off == at)
			return true;
	}
	return false;
}

/*
 * Prints the labels between two instructions of the program, if something jumps to the second one.
 */
static void dump_labels(FILE *out, const struct program *p, const struct lowered *l,
			unsigned int at, unsigned int from)
{
	const unsigned int to = l->source[at];

	if (from >= to || !is_target(l, at))
		return;
	for (unsigned int i = from; i < to && i < p->n_insns; i++)
		if (p->insns[i].symbol == SYM_LABEL)
			fprintf(out, "%s:\n", p->insns[i].name);
}

void dump(FILE *out, const struct program *p, const struct lowered *l, const struct map *maps)
{
	unsigned int line = 0, last = 0;
	char text[96];

	for (unsigned int i = 0; i < l->n; i++) {
		const struct bpf_insn *insn = &l->insns[i];
		const struct insn *source =
			l->source[i] < p->n_insns ? &p->insns[l->source[i]] : NULL;
		bool wide = insn->code == (BPF_LD | BPF_IMM | BPF_DW);
		const char *note = NULL;

		dump_labels(out, p, l, i, last);
		if (source && source->line != line) {
			line = source->line;
			note = source_note(p->file, line);
		}
		if (source && !note && (!i || l->source[i - 1] != l->source[i]))
			note = told_name(source);
		last = l->source[i];
		if (wide && BPF_HAS_MAP(insn))
			text_cut(text, sizeof(text), "r%d = map[%s]%s", insn->dst_reg,
				 maps[insn->imm].name,
				 insn->src_reg == BPF_OF_MAP_VALUE ? "[0]+0" : "");
		else if (BPF_CLASS(insn->code) == RING_INSN(0))
			disasm_ring(insn, maps, text, sizeof(text));
		else
			disasm(insn, text, sizeof(text));
		if (note)
			fprintf(out, "%4u: (%02x) %-34s ; %s\n", i, insn->code, text, note);
		else
			fprintf(out, "%4u: (%02x) %s\n", i, insn->code, text);
		if (wide)
			i++;
	}
}
