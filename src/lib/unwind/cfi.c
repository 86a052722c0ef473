// SPDX-License-Identifier: GPL-2.0
#include "src/lib/unwind/cfi.h"

#include <stdlib.h>
#include <string.h>

#include "src/lib/unwind/dwarf_bytes.h"

#define STEPS_MOST (32U << 20)		/* instructions of a file; real files have a few million */
#define DEPTH 16			/* states that are remembered */

/* Instructions: three with an operand in their low six bits, and all others. */
enum { CFA_ADVANCE = 0x40, CFA_OFFSET = 0x80, CFA_RESTORE = 0xc0 };
enum { CFA_NOP, CFA_SET_LOC, CFA_ADVANCE1, CFA_ADVANCE2, CFA_ADVANCE4, CFA_OFFSET_EXTENDED,
       CFA_RESTORE_EXTENDED, CFA_UNDEFINED, CFA_SAME_VALUE, CFA_REGISTER, CFA_REMEMBER,
       CFA_RESTORE_STATE, CFA_DEF, CFA_DEF_REGISTER, CFA_DEF_OFFSET, CFA_DEF_EXPRESSION,
       CFA_EXPRESSION, CFA_OFFSET_EXTENDED_SF, CFA_DEF_SF, CFA_DEF_OFFSET_SF, CFA_VAL_OFFSET,
       CFA_VAL_OFFSET_SF, CFA_VAL_EXPRESSION,
       CFA_NEGATE_RA = 0x2d,		/* arm64: the return address is now signed, or no longer */
       CFA_ARGS_SIZE = 0x2e };

enum { OP_DEREF = 0x06, OP_BREG = 0x70 };

/* A CIE: facts that several functions (FDEs) share. */
struct common {
	uint64_t code_align;
	int64_t data_align;
	uint64_t ra;
	uint8_t encoding;
	bool sized, signal;		/* sized: an FDE tells the length of its augmentation */
	struct dwarf_bytes first;		/* instructions that run before each FDE's */
};

/* What is unknown: it was in a form that rows can't have. Only a new rule for it makes it known. */
enum { LOST_CFA = 1, LOST_RA = 2, LOST_FP = 4, LOST_ALL = 7 };

struct rules {
	struct unwind_row row;
	uint8_t lost;			/* LOST_* */
	bool no_caller;			/* the return address is undefined */
};

struct machine {
	const struct cfi_source *s;
	struct unwind_maker *maker;
	const struct common *common;
	struct rules state, initial, remembered[DEPTH];
	unsigned int depth;
	uint64_t pc, from, end;
	int64_t position;		/* of `from` in the file */
	uint32_t *steps;		/* steps that are left for the file */
};

static int read_common(struct dwarf_bytes b, struct common *c)
{
	uint64_t version = dwarf_number(&b, 1);
	const char *augmentation = (const char *)b.at;
	size_t length = strnlen(augmentation, (size_t)(b.end - b.at));
	struct dwarf_bytes extra = { .s = b.s };

	dwarf_skip(&b, length + 1);
	*c = (struct common){ .encoding = PE_ABSOLUTE };
	if (b.broken || (version != 1 && version != 3) || (length && augmentation[0] != 'z'))
		return -1;
	c->code_align = dwarf_uleb(&b);
	c->data_align = dwarf_sleb(&b);
	c->ra = version == 1 ? dwarf_number(&b, 1) : dwarf_uleb(&b);
	if (length) {
		c->sized = true;
		extra = dwarf_part(&b, dwarf_uleb(&b));
	}
	for (size_t i = 1; i < length; i++)
		switch (augmentation[i]) {
		case 'R':
			c->encoding = (uint8_t)dwarf_number(&extra, 1);
			break;
		case 'P': {
			uint8_t encoding = (uint8_t)dwarf_number(&extra, 1);

			dwarf_address(&extra, encoding & 0x0f);
			break;
		}
		case 'L':
			dwarf_number(&extra, 1);
			break;
		case 'S':
			c->signal = true;
			break;
		default:		/* 'B': another key for signed addresses */
			break;
		}
	c->first = b;
	return b.broken || extra.broken || c->encoding & PE_INDIRECT ? -1 : 0;
}

static bool fits(int64_t value)
{
	return value == (int32_t)value;
}

static void emit_row(struct machine *m)
{
	struct unwind_row row = m->state.row;

	if (m->pc < m->from || m->pc >= m->end)
		return;
	row.at = (uint32_t)(m->position + (int64_t)(m->pc - m->from));
	if (m->state.no_caller)
		row.kind = UNWIND_END;
	else if (m->state.lost)
		row.kind = UNWIND_UNKNOWN;
	unwind_add(m->maker, &row);
}

static void advance(struct machine *m, uint64_t pc)
{
	if (pc == m->pc)
		return;
	emit_row(m);
	m->pc = pc;
}

static void lose(struct machine *m, uint8_t what)
{
	m->state.lost |= what;
}

/* Returns what of a row is lost without the rule for the register. Rows need no other register. */
static uint8_t needed(const struct machine *m, uint64_t reg)
{
	return reg == m->common->ra ? LOST_RA : reg == m->s->fp ? LOST_FP : 0;
}

static void set_cfa(struct machine *m, uint64_t reg, int64_t offset)
{
	if (reg > 31 || !fits(offset)) {
		lose(m, LOST_CFA);
		return;
	}
	m->state.lost &= (uint8_t)~LOST_CFA;
	m->state.row.kind = UNWIND_REGISTER;
	m->state.row.reg = (uint8_t)reg;
	m->state.row.cfa = (int32_t)offset;
}

/* Sets a register's rule. */
static void save(struct machine *m, uint64_t reg, enum unwind_saved how, int64_t offset)
{
	struct unwind_row *row = &m->state.row;
	const uint8_t what = needed(m, reg);

	if (!what)
		return;
	if (!fits(offset)) {
		lose(m, what);
		return;
	}
	m->state.lost &= (uint8_t)~what;
	if (what == LOST_RA) {
		m->state.no_caller = false;
		row->ra_saved = how;
		row->ra = (int32_t)offset;
	} else {
		row->fp_saved = how;
		row->fp = (int32_t)offset;
	}
}

static void restore(struct machine *m, uint64_t reg)
{
	const struct rules *from = &m->initial;
	const uint8_t what = needed(m, reg);

	m->state.lost = (uint8_t)((m->state.lost & ~what) | (from->lost & what));
	if (what == LOST_RA) {
		m->state.no_caller = from->no_caller;
		m->state.row.ra_saved = from->row.ra_saved;
		m->state.row.ra = from->row.ra;
	} else if (what == LOST_FP) {
		m->state.row.fp_saved = from->row.fp_saved;
		m->state.row.fp = from->row.fp;
	}
}

/*
 * Knows only the expressions that compilers and C libraries write: that of the linkage table, and
 * register + offset, which may be followed by a load.
 */
static void cfa_expression(struct machine *m, struct dwarf_bytes e)
{
	/* breg7 8, breg16 0, lit15, and, lit11, ge, lit3, shl, plus */
	static const uint8_t plt[] = { 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22 };
	struct unwind_row *row = &m->state.row;
	const uint8_t *from = e.at;
	uint64_t op = dwarf_number(&e, 1);
	size_t n = (size_t)(e.end - from);

	if (n == sizeof(plt) && !memcmp(from, plt, 6) && !memcmp(from + 7, plt + 7, 4) &&
	    from[6] >= 0x30 && from[6] < 0x40) {
		set_cfa(m, 7, 8);
		row->kind = UNWIND_PLT;
		row->ra_saved = UNWIND_AT_CFA;
		row->ra = -8;
		row->limit = (uint8_t)(from[6] - 0x30);
		return;
	}
	if (op < OP_BREG || op > OP_BREG + 31) {
		lose(m, LOST_CFA);
		return;
	}
	set_cfa(m, op - OP_BREG, dwarf_sleb(&e));
	if (e.broken || e.at == e.end)
		return;
	if (dwarf_number(&e, 1) == OP_DEREF && e.at == e.end)
		row->kind = UNWIND_DEREF;
	else
		lose(m, LOST_CFA);
}

static void expression(struct machine *m, uint64_t reg, struct dwarf_bytes e)
{
	uint64_t op = dwarf_number(&e, 1);
	int64_t offset = dwarf_sleb(&e);

	if (op == (uint64_t)OP_BREG + m->s->sp && !e.broken && e.at == e.end)
		save(m, reg, UNWIND_AT_SP, offset);
	else
		lose(m, needed(m, reg));
}

static void remember(struct machine *m, bool restored)
{
	if (!restored && m->depth < DEPTH)
		m->remembered[m->depth++] = m->state;
	else if (restored && m->depth)
		m->state = m->remembered[--m->depth];
	else
		lose(m, LOST_ALL);
}

/* Runs an instruction that begins the next row. Returns false for any other instruction. */
static bool step_place(struct machine *m, struct dwarf_bytes *b, uint64_t op)
{
	switch (op) {
	case CFA_SET_LOC:
		advance(m, dwarf_address(b, m->common->encoding));
		return true;
	case CFA_ADVANCE1:
		advance(m, m->pc + dwarf_number(b, 1) * m->common->code_align);
		return true;
	case CFA_ADVANCE2:
		advance(m, m->pc + dwarf_number(b, 2) * m->common->code_align);
		return true;
	case CFA_ADVANCE4:
		advance(m, m->pc + dwarf_number(b, 4) * m->common->code_align);
		return true;
	default:
		return false;
	}
}

/* Runs an instruction that defines the CFA. Returns false for any other instruction. */
static bool step_cfa(struct machine *m, struct dwarf_bytes *b, uint64_t op)
{
	const uint64_t align = (uint64_t)m->common->data_align;
	uint64_t reg;

	switch (op) {
	case CFA_DEF:
		reg = dwarf_uleb(b);
		set_cfa(m, reg, (int64_t)dwarf_uleb(b));
		return true;
	case CFA_DEF_SF:
		reg = dwarf_uleb(b);
		set_cfa(m, reg, (int64_t)((uint64_t)dwarf_sleb(b) * align));
		return true;
	case CFA_DEF_REGISTER:
		set_cfa(m, dwarf_uleb(b), m->state.row.cfa);
		return true;
	case CFA_DEF_OFFSET:
		set_cfa(m, m->state.row.reg, (int64_t)dwarf_uleb(b));
		return true;
	case CFA_DEF_OFFSET_SF:
		set_cfa(m, m->state.row.reg, (int64_t)((uint64_t)dwarf_sleb(b) * align));
		return true;
	case CFA_DEF_EXPRESSION:
		cfa_expression(m, dwarf_part(b, dwarf_uleb(b)));
		return true;
	default:
		return false;
	}
}

/*
 * Runs an instruction with a rule for a register that rows can't have. The row is lost only if the
 * register is the return address or the frame pointer. Returns false for any other instruction.
 */
static bool step_unknown(struct machine *m, struct dwarf_bytes *b, uint64_t op)
{
	uint64_t reg;

	switch (op) {
	case CFA_REGISTER:
	case CFA_VAL_OFFSET:
	case CFA_VAL_OFFSET_SF:
		reg = dwarf_uleb(b);
		dwarf_uleb(b);
		break;
	case CFA_VAL_EXPRESSION:
		reg = dwarf_uleb(b);
		dwarf_part(b, dwarf_uleb(b));
		break;
	default:
		return false;
	}
	lose(m, needed(m, reg));
	return true;
}

/* Runs an instruction with a rule for a register. Returns false for any other instruction. */
static bool step_register(struct machine *m, struct dwarf_bytes *b, uint64_t op)
{
	const uint64_t align = (uint64_t)m->common->data_align;
	uint64_t reg;

	switch (op) {
	case CFA_OFFSET_EXTENDED:
		reg = dwarf_uleb(b);
		save(m, reg, UNWIND_AT_CFA, (int64_t)(dwarf_uleb(b) * align));
		return true;
	case CFA_OFFSET_EXTENDED_SF:
		reg = dwarf_uleb(b);
		save(m, reg, UNWIND_AT_CFA, (int64_t)((uint64_t)dwarf_sleb(b) * align));
		return true;
	case CFA_RESTORE_EXTENDED:
		restore(m, dwarf_uleb(b));
		return true;
	case CFA_UNDEFINED:
		if (dwarf_uleb(b) == m->common->ra)
			m->state.no_caller = true;
		return true;
	case CFA_SAME_VALUE:
		save(m, dwarf_uleb(b), UNWIND_SAME, 0);
		return true;
	case CFA_EXPRESSION:
		reg = dwarf_uleb(b);
		expression(m, reg, dwarf_part(b, dwarf_uleb(b)));
		return true;
	default:
		return step_unknown(m, b, op);
	}
}

/* Runs any other instruction. Returns false if it is unknown: then its length is unknown too. */
static bool step_extended(struct machine *m, struct dwarf_bytes *b, uint64_t op)
{
	switch (op) {
	case CFA_NOP:
	case CFA_NEGATE_RA:
		return true;
	case CFA_REMEMBER:
	case CFA_RESTORE_STATE:
		remember(m, op == CFA_RESTORE_STATE);
		return true;
	case CFA_ARGS_SIZE:
		dwarf_uleb(b);
		return true;
	default:
		return step_place(m, b, op) || step_cfa(m, b, op) || step_register(m, b, op);
	}
}

/*
 * Returns -1 if the file has too many instructions. Behind an unknown instruction the rest of the
 * function is unknown.
 */
static int run(struct machine *m, struct dwarf_bytes b)
{
	const struct common *c = m->common;

	while (b.at < b.end && !b.broken) {
		uint64_t op = dwarf_number(&b, 1);

		if (!*m->steps || !--*m->steps)
			return -1;
		switch (op & 0xc0) {
		case CFA_ADVANCE:
			advance(m, m->pc + (op & 0x3f) * c->code_align);
			break;
		case CFA_OFFSET:
			save(m, op & 0x3f, UNWIND_AT_CFA,
			     (int64_t)(dwarf_uleb(&b) * (uint64_t)c->data_align));
			break;
		case CFA_RESTORE:
			restore(m, op & 0x3f);
			break;
		default:
			if (!step_extended(m, &b, op)) {
				lose(m, LOST_ALL);
				return 0;
			}
		}
	}
	if (b.broken)
		lose(m, LOST_ALL);
	return 0;
}

static int run_function(struct machine *m, struct dwarf_bytes b)
{
	const struct common *c = m->common;
	uint64_t length;

	m->from = m->pc = dwarf_address(&b, c->encoding);
	length = dwarf_address(&b, c->encoding & 0x0f);
	if (c->sized)
		dwarf_skip(&b, dwarf_uleb(&b));
	m->position = m->s->position(m->s->arg, m->from);
	if (b.broken || !length || length > UINT32_MAX || m->position < 0 ||
	    m->position + (int64_t)length > UINT32_MAX)
		return 0;
	m->end = m->from + length;
	m->depth = 0;
	m->state = (struct rules){ .row.signal = c->signal };
	if (run(m, c->first))
		return -1;
	m->initial = m->state;
	if (run(m, b))
		return -1;
	emit_row(m);
	unwind_add(m->maker, &(struct unwind_row){
		.at = (uint32_t)(m->position + (int64_t)length), .kind = UNWIND_UNKNOWN });
	return 0;
}

/* Reads the next entry of the section, a CIE or an FDE. Returns false if there is none. */
static bool next(struct dwarf_bytes *b, struct dwarf_bytes *text)
{
	uint64_t length;

	if (b->end - b->at < 4)
		return false;
	length = dwarf_number(b, 4);
	if (length == UINT32_MAX)
		length = dwarf_number(b, 8);
	if (!length)			/* the end that the linker wrote */
		return false;
	*text = dwarf_part(b, length);
	return !b->broken;
}

int cfi_rows(const struct cfi_source *s, struct unwind_maker *m, struct error *err)
{
	struct dwarf_bytes b = { .s = s, .at = s->bytes, .end = s->bytes + s->size }, text, of;
	uint32_t steps = STEPS_MOST;
	const uint8_t *known = NULL;	/* the CIE that `common` has; NULL: none */
	struct common common;

	while (next(&b, &text)) {
		const uint8_t *here = text.at;
		uint64_t back = dwarf_number(&text, 4);
		struct machine machine = { .s = s, .maker = m, .common = &common, .steps = &steps };

		if (text.broken || !back)
			continue;
		if (back > (uint64_t)(here - s->bytes))
			continue;
		of = (struct dwarf_bytes){ .s = s, .at = here - back, .end = s->bytes + s->size };
		if (known != of.at) {
			struct dwarf_bytes its = { .s = s };

			known = NULL;
			if (!next(&of, &its) || dwarf_number(&its, 4) || read_common(its, &common))
				continue;
			known = here - back;
		}
		if (run_function(&machine, text))
			return fail(err, "its .eh_frame has more than %u instructions", STEPS_MOST);
	}
	return b.broken ? fail(err, "its .eh_frame is broken") : 0;
}
