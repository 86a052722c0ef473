// SPDX-License-Identifier: GPL-2.0
/* Instructions of an expression. */
#include "src/language/expressions/code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "insns/sched.h"
#include "src/language/expressions/functions/functions.h"
#include "src/language/types/types.h"

static const int regs[] = { R6, R7, R8 };
#define LAST 2

int code_register(int depth)
{
	return regs[depth];
}

void code_put(struct code *c, uint64_t bpf, const char *name, enum symbolic symbol)
{
	struct insn *new;

	if (c->n == c->room) {
		unsigned int room = c->room ? 2 * c->room : 64;
		struct insn *more = realloc(c->insns, room * sizeof(*more));

		if (!more) {
			c->failed = true;
			return;
		}
		c->insns = more;
		c->room = room;
	}
	new = &c->insns[c->n++];
	*new = (struct insn){ .name = name, .symbol = (uint8_t)symbol };
	memcpy(&new->bpf, &bpf, sizeof(bpf));
}

const char *code_label(struct code *c)
{
	char **more = realloc(c->labels, (c->n_labels + 1) * sizeof(*more)), *label = NULL;

	if (more) {
		c->labels = more;
		if (asprintf(&label, "%u", c->n_labels) < 0)
			label = NULL;
	}
	if (!label) {
		c->failed = true;
		return "";
	}
	c->labels[c->n_labels++] = label;
	return label;
}

int code_room(struct code *c, unsigned int size)
{
	c->frame += (size + 7) / 8 * 8;
	if (c->frame > c->least)
		c->least = c->frame;
	c->full |= c->frame > code_frame_most(c);
	return -(int)c->frame;
}

int code_end(struct code *c)
{
	CODE(c, LABEL("out"));
	CODE(c, BPF_MOV64_IMM(R0, 1));
	CODE(c, BPF_EXIT_INSN());
	return c->failed ? -1 : 0;
}

void code_free(struct code *c)
{
	for (unsigned int i = 0; i < c->n_labels; i++)
		free(c->labels[i]);
	free(c->labels);
	free(c->insns);
	*c = (struct code){ };
}

void code_unless(struct code *c, const char *option, const char *label)
{
	CODE(c, SYMBOLIC(SYM_JUMP_UNLESS, option, 0, 0, 0, 0));
	CODE(c, SYMBOLIC(SYM_ELSE, label, 0, 0, 0, 0));
}

void code_constant(struct code *c, int reg, uint64_t value)
{
	if ((int64_t)value == (int32_t)value) {
		CODE(c, BPF_MOV64_IMM(reg, (int32_t)value));
		return;
	}
	CODE(c, RAW(BPF_LD | BPF_IMM | BPF_DW, reg, 0, 0, (int32_t)value));
	CODE(c, RAW(0, 0, 0, 0, (int32_t)(value >> 32)));
}

/* Extends a value to 64 bits. Only the bits of its type mean anything before. */
static void extend(struct code *c, int reg, const struct c_type *t)
{
	/* A value that is not a number is an address. */
	const bool number = c_number(t), is_signed = number && c_signed(t);
	int unused = 64 - 8 * (int)(number ? c_size(t, c->scope->word) : t->kernel ? t->kernel :
				    c->scope->word);

	if (!unused)
		return;
	if (unused == 32 && !is_signed) {
		CODE(c, BPF_MOV32_REG(reg, reg));
		return;
	}
	CODE(c, BPF_ALU64_IMM(BPF_LSH, reg, unused));
	if (is_signed)
		CODE(c, BPF_ALU64_IMM(BPF_ARSH, reg, unused));
	else
		CODE(c, BPF_ALU64_IMM(BPF_RSH, reg, unused));
}

/* reg = the jump's condition, 0 or 1; `yes` is where the jump goes. */
static void truth(struct code *c, int reg, const char *yes)
{
	const char *end = code_label(c);

	CODE(c, BPF_MOV64_IMM(reg, 0));
	CODE(c, JUMP(end));
	CODE(c, LABEL(yes));
	CODE(c, BPF_MOV64_IMM(reg, 1));
	CODE(c, LABEL(end));
}

static void cast(struct code *c, const struct node *n, int depth, const char *fault)
{
	const struct c_type *from = &n->a->type, *to = &n->type;
	const unsigned int word = c->scope->word, size = c_size(to, word);
	const int reg = regs[depth];

	code_value_at(c, n->a, depth, fault);
	if (to->is_bool && !to->pointers) {
		const char *yes = code_label(c);

		CODE(c, JNE(reg, 0, yes));
		truth(c, reg, yes);
		return;
	}
	if (size > c_size(from, word) && !c_signed(from))
		return;
	if (size == c_size(from, word) && c_signed(from) == c_signed(to))
		return;
	extend(c, reg, to);
}

static void logic(struct code *c, const struct node *n, int depth, const char *fault)
{
	const char *out = code_label(c), *end = code_label(c);
	const int reg = regs[depth];
	const bool both = n->op == OP_AND;
	const struct node *sides[] = { n->a, n->b };

	for (int i = 0; i < 2; i++) {
		code_value_at(c, sides[i], depth, fault);
		if (both)
			CODE(c, JEQ(reg, 0, out));
		else
			CODE(c, JNE(reg, 0, out));
	}
	CODE(c, BPF_MOV64_IMM(reg, both));
	CODE(c, JUMP(end));
	CODE(c, LABEL(out));
	CODE(c, BPF_MOV64_IMM(reg, !both));
	CODE(c, LABEL(end));
}

static void choice(struct code *c, const struct node *n, int depth, const char *fault)
{
	const char *no = code_label(c), *end = code_label(c);

	code_value_at(c, n->a, depth, fault);
	if (n->b) {
		CODE(c, JEQ(regs[depth], 0, no));
		code_value_at(c, n->b, depth, fault);
		CODE(c, JUMP(end));
	} else {
		CODE(c, JNE(regs[depth], 0, end));
	}
	CODE(c, LABEL(no));
	code_value_at(c, n->c, depth, fault);
	CODE(c, LABEL(end));
}

static void absolute(struct code *c, int reg)
{
	const char *end = code_label(c);

	CODE(c, JSGE(reg, 0, end));
	CODE(c, RAW(BPF_ALU64 | BPF_NEG, reg, 0, 0, 0));
	CODE(c, LABEL(end));
}

/* Divides by a constant, which is not 0. */
static void divide_by_number(struct code *c, const struct node *n, int a, int32_t k)
{
	const int op = n->op == '/' ? BPF_DIV : BPF_MOD;
	const char *end;

	if (!c_signed(&n->a->type)) {
		CODE(c, BPF_ALU64_IMM(op, a, k));
		return;
	}
	end = code_label(c);
	CODE(c, BPF_MOV64_REG(R2, a));
	absolute(c, a);
	CODE(c, BPF_ALU64_IMM(op, a, k < 0 ? -k : k));
	if (op == BPF_DIV && k < 0)
		CODE(c, BPF_ALU64_IMM(BPF_XOR, R2, -1));
	CODE(c, JSGE(R2, 0, end));
	CODE(c, RAW(BPF_ALU64 | BPF_NEG, a, 0, 0, 0));
	CODE(c, LABEL(end));
	extend(c, a, &n->type);
}

/*
 * The first instruction set has no signed division. Kernels before 4.16 end a program that divides
 * by a register with 0.
 */
static void divide(struct code *c, const struct node *n, int a, int b, const char *fault)
{
	const int op = n->op == '/' ? BPF_DIV : BPF_MOD;
	const char *end;

	if (n->b->kind != NODE_NUMBER && fault)
		CODE(c, JEQ(b, 0, fault));
	if (!c_signed(&n->a->type)) {
		CODE(c, BPF_ALU64_REG(op, a, b));
		return;
	}
	end = code_label(c);
	CODE(c, BPF_MOV64_REG(R0, a));
	CODE(c, BPF_MOV64_REG(R3, b));
	CODE(c, BPF_MOV64_REG(R2, a));
	if (op == BPF_DIV)
		CODE(c, BPF_ALU64_REG(BPF_XOR, R2, b));
	absolute(c, R0);
	absolute(c, R3);
	CODE(c, BPF_ALU64_REG(op, R0, R3));
	CODE(c, BPF_MOV64_REG(a, R0));
	CODE(c, JSGE(R2, 0, end));
	CODE(c, RAW(BPF_ALU64 | BPF_NEG, a, 0, 0, 0));
	CODE(c, LABEL(end));
	extend(c, a, &n->type);
}

static const struct {
	uint8_t op, code, signed_code;
	bool jump, overflows;
} operators[] = {
	{ '+', BPF_ADD, BPF_ADD, false, true }, { '-', BPF_SUB, BPF_SUB, false, true },
	{ '*', BPF_MUL, BPF_MUL, false, true }, { '&', BPF_AND, BPF_AND, false, false },
	{ '|', BPF_OR, BPF_OR, false, false }, { '^', BPF_XOR, BPF_XOR, false, false },
	{ OP_SHL, BPF_LSH, BPF_LSH, false, true }, { OP_SHR, BPF_RSH, BPF_ARSH, false, false },
	{ '<', BPF_JLT, BPF_JSLT, true, false }, { '>', BPF_JGT, BPF_JSGT, true, false },
	{ OP_LE, BPF_JLE, BPF_JSLE, true, false }, { OP_GE, BPF_JGE, BPF_JSGE, true, false },
	{ OP_EQ, BPF_JEQ, BPF_JEQ, true, false }, { OP_NE, BPF_JNE, BPF_JNE, true, false },
};

/* a = a op b, with registers; b < 0: with the constant on the right side. */
static void operate(struct code *c, const struct node *n, int a, int b)
{
	unsigned int i = 0;
	const bool imm = b < 0;
	const int32_t k = imm ? (int32_t)n->b->value : 0;
	int code;

	while (operators[i].op != n->op)
		i++;
	code = c_signed(&n->a->type) ? operators[i].signed_code : operators[i].code;
	if (operators[i].jump) {
		const char *yes = code_label(c);

		if (imm)
			CODE(c, JUMP_IF(code, a, k, yes));
		else
			CODE(c, JUMP_IF_REG(code, a, b, yes));
		truth(c, a, yes);
		return;
	}
	if (imm)
		CODE(c, BPF_ALU64_IMM(code, a, k));
	else
		CODE(c, BPF_ALU64_REG(code, a, b));
	if (operators[i].overflows)
		extend(c, a, &n->type);
}

/* Returns true if the value is 0 or 1. */
static bool is_truth(const struct node *n)
{
	return n->kind == NODE_BINARY && (n->op == '<' || n->op == '>' ||
					  (n->op >= OP_LE && n->op <= OP_OR));
}

static void arithmetic(struct code *c, const struct node *n, int depth, const char *fault)
{
	const bool shift = n->op == OP_SHL || n->op == OP_SHR;
	const bool division = n->op == '/' || n->op == '%';
	const unsigned int frame = c->frame;
	int a = regs[depth], b;

	code_value_at(c, n->a, depth, fault);
	if (n->op == OP_NE && n->b->kind == NODE_NUMBER && !n->b->value && is_truth(n->a))
		return;
	if (n->b->kind == NODE_NUMBER && (int64_t)n->b->value == (int32_t)n->b->value &&
	    (!division || (int64_t)n->b->value > (c_signed(&n->a->type) ? INT32_MIN : 0))) {
		if (division)
			divide_by_number(c, n, a, (int32_t)n->b->value);
		else
			operate(c, n, a, -1);
		return;
	}
	if (depth < LAST) {
		b = regs[depth + 1];
		code_value_at(c, n->b, depth + 1, fault);
	} else {
		int spilled = code_room(c, 8);

		b = R4;
		CODE(c, BPF_STX_MEM(BPF_DW, R10, a, (int16_t)spilled));
		code_value_at(c, n->b, depth, fault);
		CODE(c, BPF_MOV64_REG(b, a));
		CODE(c, BPF_LDX_MEM(BPF_DW, a, R10, (int16_t)spilled));
		c->frame = frame;
	}
	if (division) {
		divide(c, n, a, b, fault);
		return;
	}
	if (shift)
		CODE(c, BPF_ALU64_IMM(BPF_AND, b,
				      8 * (int)c_size(&n->type, c->scope->word) - 1));
	operate(c, n, a, b);
}

/* r8 = the address of the text. Goes to `fault` if the address can't be read. */
static void text_address(struct code *c, const struct text_node *text, int depth,
			 const char *fault)
{
	if (!text->address) {
		CODE(c, STRING(R8, c->scope->needs.inputs[text->input].name));
		return;
	}
	code_value_at(c, text->address, depth, text->address->faults ? fault : NULL);
	if (regs[depth] != R8)
		CODE(c, BPF_MOV64_REG(R8, regs[depth]));
}

static void read_text(struct code *c, const struct text_node *text, int off, unsigned int size,
		      int depth)
{
	const bool computed = text->address && text->address->faults;
	const unsigned int n = text->limit && text->limit < size ? text->limit + 1U : size;
	const char *fault = computed ? code_label(c) : NULL, *end = code_label(c);

	text_address(c, text, depth, fault);
	if (text->way == TEXT_USER) {
		CODE(c, READ_USER_STRING_AT((int16_t)off, (int)n, R8));
	} else {
		CODE(c, READ_KERNEL_STRING_AT((int16_t)off, (int)n, R8));
	}
	if (text->way == TEXT_EITHER) {
		CODE(c, JSGE(R0, 0, end));
		/* Records of rings were read in both ways already: r8 is 0 if both failed. */
		CODE(c, JEQ(R8, 0, end));
		CODE(c, READ_USER_STRING_AT((int16_t)off, (int)n, R8));
	}
	if (computed) {
		CODE(c, JUMP(end));
		CODE(c, LABEL(fault));
		CODE(c, BPF_MOV64_IMM(R0, -14));
	}
	CODE(c, LABEL(end));
}

void code_text_at(struct code *c, const struct text_node *text, int off, unsigned int size,
		  int depth)
{
	const struct lang_input *in = &c->scope->needs.inputs[text->input];

	CODE(c, ZERO_AT(NULL, (int16_t)off, (int)size));
	if (text->way == TEXT_BYTES) {
		unsigned int n = in->size < size ? in->size : size;

		CODE(c, BYTES_AT((int16_t)off, in->name, (int)n));
		CODE(c, BPF_MOV64_IMM(R0, (int)n));
		return;
	}
	read_text(c, text, off, size, depth);
}

void code_text(struct code *c, const struct text_node *text, int off, unsigned int size)
{
	code_text_at(c, text, off, size, 0);
}

static void number(struct code *c, const struct node *n, int depth, const char *fault)
{
	(void)fault;
	code_constant(c, regs[depth], n->value);
}

/*
 * r6, a task's own state, becomes what records of sched_switch have: a bit, the highest one that
 * there is a letter for. A frozen task, and one that waits for a lock of PREEMPT_RT, sleep deeply.
 */
static const struct insn reported_state[] = {
	JUMP_UNLESS("argument:preempted", ".told"),
	FIELD(R1, "preempted"),
	JNE(R1, 0, ".runs"),
	FIELD(R2, "exit_state"),
	BPF_MOV64_REG(R1, R6),
	BPF_ALU64_IMM(BPF_AND, R1, TASK_IDLE_STATE),
	JEQ(R1, TASK_IDLE_STATE, ".idle"),
	JSET(R6, TASK_DEEP_STATES, ".deep"),
	BPF_ALU64_REG(BPF_OR, R6, R2),
	BPF_ALU64_IMM(BPF_AND, R6, TASK_REPORTED),
	BPF_MOV64_REG(R1, R6),
	BPF_ALU64_IMM(BPF_AND, R1, TASK_PARKED_STATE | TASK_ZOMBIE_STATE),
	JEQ(R1, 0, ".told"),
	BPF_MOV64_REG(R6, R1),
	JUMP(".told"),
	LABEL(".idle"),
	BPF_MOV64_IMM(R6, SCHED_IDLE_REPORT),
	JUMP(".told"),
	LABEL(".deep"),
	BPF_MOV64_IMM(R6, SCHED_SLEEP_REPORT),
	JUMP(".told"),
	LABEL(".runs"),
	BPF_MOV64_IMM(R6, SCHED_PREEMPTED_REPORT),
	LABEL(".told"),
};

/* Adds it for a register in the place of r6. */
static void report_state(struct code *c, int reg)
{
	for (size_t i = 0; i < sizeof(reported_state) / sizeof(reported_state[0]); i++) {
		struct insn insn = reported_state[i];

		if (insn.bpf.dst_reg == R6)
			insn.bpf.dst_reg = reg & 15;
		if (insn.bpf.src_reg == R6)
			insn.bpf.src_reg = reg & 15;
		code_add(c, insn);
	}
}

/* Returns true if the stack has the number: a call of the kernel is saved. */
static bool kept_id(struct code *c, const struct lang_input *in, int reg)
{
	const bool tid = !strcmp(in->name, "tid");

	if (!c->pid_tgid || !in->identity || (!tid && strcmp(in->name, "tgid")))
		return false;
	CODE(c, BPF_LDX_MEM(BPF_DW, reg, R10, (int16_t)c->pid_tgid));
	if (tid)
		CODE(c, BPF_MOV32_REG(reg, reg));
	else
		CODE(c, BPF_ALU64_IMM(BPF_RSH, reg, 32));
	return true;
}

static void input(struct code *c, const struct node *n, int depth, const char *fault)
{
	const struct lang_input *in = &c->scope->needs.inputs[n->value];

	(void)fault;
	if (kept_id(c, in, regs[depth]))
		return;
	CODE(c, FIELD(regs[depth], in->name));
	if (in->made)
		report_state(c, regs[depth]);
}

static void read_input(struct code *c, const struct node *n, int depth, const char *fault)
{
	input(c, n, depth, NULL);
	if (fault)
		CODE(c, SYMBOLIC(SYM_ELSE, fault, 0, 0, 0, 0));
}

static void follow(struct code *c, const struct node *n, int depth, const char *fault)
{
	const int reg = regs[depth];

	code_value_at(c, n->a, depth, n->a->faults ? fault : NULL);
	CODE(c, FOLLOW(reg, reg, c_size(&n->type, c->scope->word), c_signed(&n->type),
		       n->a->type.user || (c->scope->user_space && !n->a->type.kernel)));
	if (fault)
		CODE(c, SYMBOLIC(SYM_ELSE, fault, 0, 0, 0, 0));
}

static void slot(struct code *c, const struct node *n, int depth, const char *fault)
{
	if (n->faults && fault) {
		CODE(c, BPF_LDX_MEM(BPF_W, R0, R10, (int16_t)c->scope->frame.unknown));
		CODE(c, BPF_ALU64_IMM(BPF_AND, R0, 1 << n->op));
		CODE(c, JNE(R0, 0, fault));
	}
	CODE(c, BPF_LDX_MEM(BPF_DW, regs[depth], R10, (int16_t)n->value));
}

static void binary(struct code *c, const struct node *n, int depth, const char *fault)
{
	if (n->op == OP_AND || n->op == OP_OR)
		logic(c, n, depth, fault);
	else
		arithmetic(c, n, depth, fault);
}

static void call(struct code *c, const struct node *n, int depth, const char *fault)
{
	n->function->emit(c, n, depth, fault);
}

/* The kinds of nodes in a bound tree. */
static void (*const kinds[])(struct code *c, const struct node *n, int depth,
			     const char *fault) = {
	[NODE_NUMBER] = number,
	[NODE_INPUT] = input,
	[NODE_READ] = read_input,
	[NODE_FOLLOW] = follow,
	[NODE_SLOT] = slot,
	[NODE_CAST] = cast,
	[NODE_CHOICE] = choice,
	[NODE_BINARY] = binary,
	[NODE_CALL] = call,
};

void code_value_at(struct code *c, const struct node *n, int depth, const char *fault)
{
	kinds[n->kind](c, n, depth, fault);
}

void code_value(struct code *c, const struct node *n, const char *fault)
{
	code_value_at(c, n, 0, fault);
}

/* The jump that is taken where `code` is not; 0: there is none. */
static int opposite(int code)
{
	static const uint8_t pairs[][2] = {
		{ BPF_JEQ, BPF_JNE }, { BPF_JLT, BPF_JGE }, { BPF_JLE, BPF_JGT },
		{ BPF_JSLT, BPF_JSGE }, { BPF_JSLE, BPF_JSGT },
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		for (int j = 0; j < 2; j++)
			if (pairs[i][j] == code)
				return pairs[i][!j];
	return 0;
}

/* Jumps if the comparison with a number is false. Returns false if it is no such comparison. */
static bool jump_unless(struct code *c, const struct node *n, const char *no, const char *fault)
{
	unsigned int i = 0;

	if (!is_truth(n) || n->b->kind != NODE_NUMBER ||
	    (int64_t)n->b->value != (int32_t)n->b->value || n->op == OP_AND || n->op == OP_OR)
		return false;
	while (operators[i].op != n->op)
		i++;
	code_value(c, n->a, fault);
	CODE(c, JUMP_IF(opposite(c_signed(&n->a->type) ? operators[i].signed_code :
				 operators[i].code), regs[0], (int32_t)n->b->value, no));
	return true;
}

void code_condition(struct code *c, const struct node *n, const char *no, const char *fault)
{
	while (n->kind == NODE_CAST && n->type.is_bool && !n->type.pointers)
		n = n->a;
	if (n->kind == NODE_BINARY && n->op == OP_AND) {
		code_condition(c, n->a, no, fault);
		code_condition(c, n->b, no, fault);
	} else if (!jump_unless(c, n, no, fault)) {
		code_value(c, n, fault);
		CODE(c, JEQ(regs[0], 0, no));
	}
}
