// SPDX-License-Identifier: GPL-2.0
#include "src/lib/unwind/cfi.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "compat/user/elf_file.h"
#include "src/lib/symbols/readers/elf_symbols.h"
#include "src/lib/unwind/exidx.h"

#define STEPS_MOST (32U << 20)		/* instructions of a file; real ones have a few million */
#define DEPTH 16			/* states that are remembered */

/* How addresses are written: a format, and what they are relative to. */
enum { PE_ABSOLUTE, PE_ULEB, PE_UDATA2, PE_UDATA4, PE_UDATA8, PE_SLEB = 9, PE_SDATA2, PE_SDATA4,
       PE_SDATA8, PE_PCREL = 0x10, PE_INDIRECT = 0x80, PE_OMIT = 0xff };

/* Instructions: with their operand in the low bits, or without. */
enum { CFA_ADVANCE = 0x40, CFA_OFFSET = 0x80, CFA_RESTORE = 0xc0 };
enum { CFA_NOP, CFA_SET_LOC, CFA_ADVANCE1, CFA_ADVANCE2, CFA_ADVANCE4, CFA_OFFSET_EXTENDED,
       CFA_RESTORE_EXTENDED, CFA_UNDEFINED, CFA_SAME_VALUE, CFA_REGISTER, CFA_REMEMBER,
       CFA_RESTORE_STATE, CFA_DEF, CFA_DEF_REGISTER, CFA_DEF_OFFSET, CFA_DEF_EXPRESSION,
       CFA_EXPRESSION, CFA_OFFSET_EXTENDED_SF, CFA_DEF_SF, CFA_DEF_OFFSET_SF, CFA_VAL_OFFSET,
       CFA_VAL_OFFSET_SF, CFA_VAL_EXPRESSION,
       CFA_NEGATE_RA = 0x2d,		/* of arm64: the return address is signed, or no more */
       CFA_ARGS_SIZE = 0x2e };

enum { OP_DEREF = 0x06, OP_BREG = 0x70 };

/* A part of the section; what is read behind its end is 0, and it is broken. */
struct bytes {
	const struct cfi_source *s;
	const uint8_t *at, *end;
	bool broken;
};

static uint64_t number(struct bytes *b, unsigned int size)
{
	uint64_t value = 0;

	if ((size_t)(b->end - b->at) < size) {
		b->broken = true;
		b->at = b->end;
		return 0;
	}
	for (unsigned int i = 0; i < size; i++)
		value |= (uint64_t)b->at[i] << 8 * (b->s->big_endian ? size - 1 - i : i);
	b->at += size;
	return value;
}

static int64_t signed_number(struct bytes *b, unsigned int size)
{
	unsigned int shift = 64 - 8 * size;

	return (int64_t)(number(b, size) << shift) >> shift;
}

static uint64_t uleb(struct bytes *b)
{
	uint64_t value = 0, byte;
	unsigned int shift = 0;

	do {
		byte = number(b, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return value;
}

static int64_t sleb(struct bytes *b)
{
	uint64_t value = 0, byte;
	unsigned int shift = 0;

	do {
		byte = number(b, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (shift < 64 && byte & 0x40)
		value |= ~0ULL << shift;
	return (int64_t)value;
}

static void skip(struct bytes *b, uint64_t n)
{
	if (n > (uint64_t)(b->end - b->at)) {
		b->broken = true;
		n = (uint64_t)(b->end - b->at);
	}
	b->at += n;
}

/* The part of that length behind here, which is skipped. */
static struct bytes part(struct bytes *b, uint64_t length)
{
	struct bytes p = { .s = b->s, .at = b->at };

	skip(b, length);
	p.end = b->at;
	return p;
}

static uint64_t encoded(struct bytes *b, uint8_t encoding)
{
	uint64_t from = b->s->address + (uint64_t)(b->at - b->s->bytes), value;

	switch (encoding & 0x0f) {
	case PE_ABSOLUTE:
		value = number(b, b->s->word);
		break;
	case PE_ULEB:
		value = uleb(b);
		break;
	case PE_UDATA2:
		value = number(b, 2);
		break;
	case PE_UDATA4:
		value = number(b, 4);
		break;
	case PE_UDATA8:
	case PE_SDATA8:
		value = number(b, 8);
		break;
	case PE_SLEB:
		value = (uint64_t)sleb(b);
		break;
	case PE_SDATA2:
		value = (uint64_t)signed_number(b, 2);
		break;
	case PE_SDATA4:
		value = (uint64_t)signed_number(b, 4);
		break;
	default:
		b->broken = true;
		return 0;
	}
	if (encoding & 0x70 & ~PE_PCREL)
		b->broken = true;
	if (encoding & PE_PCREL)
		value += from;
	return b->s->word == 4 ? (uint32_t)value : value;
}

/* What functions have in common. */
struct common {
	uint64_t code_align;
	int64_t data_align;
	uint64_t ra;
	uint8_t encoding;
	bool sized, signal;		/* its functions' texts say how long their extras are */
	struct bytes first;		/* instructions before those of each function */
};

struct machine {
	const struct cfi_source *s;
	struct unwind_maker *maker;
	const struct common *common;
	struct unwind_row state, initial, remembered[DEPTH];
	unsigned int depth;
	uint64_t pc, from, end;
	int64_t position;		/* of `from` */
	uint32_t *steps;		/* that are left */
};

static int read_common(struct bytes b, struct common *c)
{
	uint64_t version = number(&b, 1);
	const char *augmentation = (const char *)b.at;
	size_t length = strnlen(augmentation, (size_t)(b.end - b.at));
	struct bytes extra = { .s = b.s };

	skip(&b, length + 1);
	*c = (struct common){ .encoding = PE_ABSOLUTE };
	if (b.broken || (version != 1 && version != 3) || (length && augmentation[0] != 'z'))
		return -1;
	c->code_align = uleb(&b);
	c->data_align = sleb(&b);
	c->ra = version == 1 ? number(&b, 1) : uleb(&b);
	if (length) {
		c->sized = true;
		extra = part(&b, uleb(&b));
	}
	for (size_t i = 1; i < length; i++)
		switch (augmentation[i]) {
		case 'R':
			c->encoding = (uint8_t)number(&extra, 1);
			break;
		case 'P': {
			uint8_t encoding = (uint8_t)number(&extra, 1);

			encoded(&extra, encoding & 0x0f);
			break;
		}
		case 'L':
			number(&extra, 1);
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
	if (m->pc < m->from || m->pc >= m->end)
		return;
	m->state.at = (uint32_t)(m->position + (int64_t)(m->pc - m->from));
	unwind_add(m->maker, &m->state);
}

static void advance(struct machine *m, uint64_t pc)
{
	if (pc == m->pc)
		return;
	emit_row(m);
	m->pc = pc;
}

static void lose(struct machine *m)
{
	m->state.kind = UNWIND_UNKNOWN;
}

static void set_cfa(struct machine *m, uint64_t reg, int64_t offset)
{
	if (reg > 31 || !fits(offset)) {
		lose(m);
		return;
	}
	if (m->state.kind != UNWIND_END)
		m->state.kind = UNWIND_REGISTER;
	m->state.reg = (uint8_t)reg;
	m->state.cfa = (int32_t)offset;
}

/* A register's rule; others than these are not needed. */
static void save(struct machine *m, uint64_t reg, enum unwind_saved how, int64_t offset)
{
	if (reg != m->common->ra && reg != m->s->fp)
		return;
	if (!fits(offset)) {
		lose(m);
		return;
	}
	if (reg == m->common->ra) {
		m->state.ra_saved = how;
		m->state.ra = (int32_t)offset;
	} else {
		m->state.fp_saved = how;
		m->state.fp = (int32_t)offset;
	}
}

static void restore(struct machine *m, uint64_t reg)
{
	if (reg == m->common->ra) {
		m->state.ra_saved = m->initial.ra_saved;
		m->state.ra = m->initial.ra;
	} else if (reg == m->s->fp) {
		m->state.fp_saved = m->initial.fp_saved;
		m->state.fp = m->initial.fp;
	}
}

/* Of expressions those that compilers and C libraries write. */
static void cfa_expression(struct machine *m, struct bytes e)
{
	/* breg7 8, breg16 0, lit15, and, lit11, ge, lit3, shl, plus */
	static const uint8_t plt[] = { 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22 };
	const uint8_t *from = e.at;
	uint64_t op = number(&e, 1);
	size_t n = (size_t)(e.end - from);

	if (n == sizeof(plt) && !memcmp(from, plt, 6) && !memcmp(from + 7, plt + 7, 4) &&
	    from[6] >= 0x30 && from[6] < 0x40) {
		m->state.kind = UNWIND_PLT;
		m->state.reg = 7;
		m->state.cfa = 8;
		m->state.ra_saved = UNWIND_AT_CFA;
		m->state.ra = -8;
		m->state.limit = (uint8_t)(from[6] - 0x30);
		return;
	}
	if (op < OP_BREG || op > OP_BREG + 31) {
		lose(m);
		return;
	}
	set_cfa(m, op - OP_BREG, sleb(&e));
	if (m->state.kind != UNWIND_REGISTER || e.broken || e.at == e.end)
		return;
	if (number(&e, 1) == OP_DEREF && e.at == e.end)
		m->state.kind = UNWIND_DEREF;
	else
		lose(m);
}

static void expression(struct machine *m, uint64_t reg, struct bytes e)
{
	uint64_t op = number(&e, 1);
	int64_t offset = sleb(&e);

	if (reg != m->common->ra && reg != m->s->fp)
		return;
	if (op == (uint64_t)OP_BREG + m->s->sp && !e.broken && e.at == e.end)
		save(m, reg, UNWIND_AT_SP, offset);
	else
		lose(m);
}

static void remember(struct machine *m, bool restored)
{
	if (!restored && m->depth < DEPTH)
		m->remembered[m->depth++] = m->state;
	else if (restored && m->depth)
		m->state = m->remembered[--m->depth];
	else
		lose(m);
}

/* Instructions that begin the next row. Returns false if this one is none of them. */
static bool step_place(struct machine *m, struct bytes *b, uint64_t op)
{
	switch (op) {
	case CFA_SET_LOC:
		advance(m, encoded(b, m->common->encoding));
		return true;
	case CFA_ADVANCE1:
		advance(m, m->pc + number(b, 1) * m->common->code_align);
		return true;
	case CFA_ADVANCE2:
		advance(m, m->pc + number(b, 2) * m->common->code_align);
		return true;
	case CFA_ADVANCE4:
		advance(m, m->pc + number(b, 4) * m->common->code_align);
		return true;
	default:
		return false;
	}
}

/* Instructions that say where the frame is. Returns false if this one is none of them. */
static bool step_cfa(struct machine *m, struct bytes *b, uint64_t op)
{
	const uint64_t align = (uint64_t)m->common->data_align;
	uint64_t reg;

	switch (op) {
	case CFA_DEF:
		reg = uleb(b);
		set_cfa(m, reg, (int64_t)uleb(b));
		return true;
	case CFA_DEF_SF:
		reg = uleb(b);
		set_cfa(m, reg, (int64_t)((uint64_t)sleb(b) * align));
		return true;
	case CFA_DEF_REGISTER:
		set_cfa(m, uleb(b), m->state.cfa);
		return true;
	case CFA_DEF_OFFSET:
		set_cfa(m, m->state.reg, (int64_t)uleb(b));
		return true;
	case CFA_DEF_OFFSET_SF:
		set_cfa(m, m->state.reg, (int64_t)((uint64_t)sleb(b) * align));
		return true;
	case CFA_DEF_EXPRESSION:
		cfa_expression(m, part(b, uleb(b)));
		return true;
	default:
		return false;
	}
}

/*
 * Instructions that say where a register's value is in a way that rows do not have. A row is lost
 * only if it is a register that they name. Returns false if this one is none of them.
 */
static bool step_unknown(struct machine *m, struct bytes *b, uint64_t op)
{
	uint64_t reg;

	switch (op) {
	case CFA_REGISTER:
	case CFA_VAL_OFFSET:
	case CFA_VAL_OFFSET_SF:
		reg = uleb(b);
		uleb(b);
		break;
	case CFA_VAL_EXPRESSION:
		reg = uleb(b);
		part(b, uleb(b));
		break;
	default:
		return false;
	}
	if (reg == m->common->ra || reg == m->s->fp)
		lose(m);
	return true;
}

/* Instructions that say where registers' values are. Returns false if this one is none of them. */
static bool step_register(struct machine *m, struct bytes *b, uint64_t op)
{
	const uint64_t align = (uint64_t)m->common->data_align;
	uint64_t reg;

	switch (op) {
	case CFA_OFFSET_EXTENDED:
		reg = uleb(b);
		save(m, reg, UNWIND_AT_CFA, (int64_t)(uleb(b) * align));
		return true;
	case CFA_OFFSET_EXTENDED_SF:
		reg = uleb(b);
		save(m, reg, UNWIND_AT_CFA, (int64_t)((uint64_t)sleb(b) * align));
		return true;
	case CFA_RESTORE_EXTENDED:
		restore(m, uleb(b));
		return true;
	case CFA_UNDEFINED:
		if (uleb(b) == m->common->ra)
			m->state.kind = UNWIND_END;
		return true;
	case CFA_SAME_VALUE:
		save(m, uleb(b), UNWIND_SAME, 0);
		return true;
	case CFA_EXPRESSION:
		reg = uleb(b);
		expression(m, reg, part(b, uleb(b)));
		return true;
	default:
		return step_unknown(m, b, op);
	}
}

/* The rest of the instructions. Returns false if it is not known how long this one is. */
static bool step_extended(struct machine *m, struct bytes *b, uint64_t op)
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
		uleb(b);
		return true;
	default:
		return step_place(m, b, op) || step_cfa(m, b, op) || step_register(m, b, op);
	}
}

/* -1: too many instructions. What is not known ends the function. */
static int run(struct machine *m, struct bytes b)
{
	const struct common *c = m->common;

	while (b.at < b.end && !b.broken) {
		uint64_t op = number(&b, 1);

		if (!*m->steps || !--*m->steps)
			return -1;
		switch (op & 0xc0) {
		case CFA_ADVANCE:
			advance(m, m->pc + (op & 0x3f) * c->code_align);
			break;
		case CFA_OFFSET:
			save(m, op & 0x3f, UNWIND_AT_CFA,
			     (int64_t)(uleb(&b) * (uint64_t)c->data_align));
			break;
		case CFA_RESTORE:
			restore(m, op & 0x3f);
			break;
		default:
			if (!step_extended(m, &b, op)) {
				lose(m);
				return 0;
			}
		}
	}
	if (b.broken)
		lose(m);
	return 0;
}

static int run_function(struct machine *m, struct bytes b)
{
	const struct common *c = m->common;
	uint64_t length;

	m->from = m->pc = encoded(&b, c->encoding);
	length = encoded(&b, c->encoding & 0x0f);
	if (c->sized)
		skip(&b, uleb(&b));
	m->position = m->s->position(m->s->arg, m->from);
	if (b.broken || !length || length > UINT32_MAX || m->position < 0 ||
	    m->position + (int64_t)length > UINT32_MAX)
		return 0;
	m->end = m->from + length;
	m->depth = 0;
	m->state = (struct unwind_row){ .signal = c->signal };
	if (run(m, c->first))
		return -1;
	m->initial = m->state;
	if (run(m, b))
		return -1;
	emit_row(m);
	m->state.kind = UNWIND_UNKNOWN;
	m->state.at = (uint32_t)(m->position + (int64_t)length);
	unwind_add(m->maker, &m->state);
	return 0;
}

/* The next text of the section: its bytes, and where they begin; false: there is none. */
static bool next(struct bytes *b, struct bytes *text)
{
	uint64_t length;

	if (b->end - b->at < 4)
		return false;
	length = number(b, 4);
	if (length == UINT32_MAX)
		length = number(b, 8);
	if (!length)			/* the linker's end */
		return false;
	*text = part(b, length);
	return !b->broken;
}

int cfi_rows(const struct cfi_source *s, struct unwind_maker *m, struct error *err)
{
	struct bytes b = { .s = s, .at = s->bytes, .end = s->bytes + s->size }, text, of;
	uint32_t steps = STEPS_MOST;
	const uint8_t *known = NULL;	/* where the text of `common` begins */
	struct common common;

	while (next(&b, &text)) {
		const uint8_t *here = text.at;
		uint64_t back = number(&text, 4);
		struct machine machine = { .s = s, .maker = m, .common = &common, .steps = &steps };

		if (text.broken || !back)
			continue;
		if (back > (uint64_t)(here - s->bytes))
			continue;
		of = (struct bytes){ .s = s, .at = here - back, .end = s->bytes + s->size };
		if (known != of.at) {
			struct bytes its = { .s = s };

			known = NULL;
			if (!next(&of, &its) || number(&its, 4) || read_common(its, &common))
				continue;
			known = here - back;
		}
		if (run_function(&machine, text))
			return fail(err, "its .eh_frame has more than %u instructions", STEPS_MOST);
	}
	return b.broken ? fail(err, "its .eh_frame is broken") : 0;
}

/* ---- in an ELF file ---- */

static const struct {
	uint16_t machine;
	uint8_t fp, sp, word;
} machines[] = {
	{ EM_X86_64, 6, 7, 8 },
	{ EM_AARCH64, 29, 31, 8 },
	{ EM_386, 5, 4, 4 },
	{ EM_PPC64, 31, 1, 8 },
};

static int64_t position(const void *arg, uint64_t address)
{
	return elf_file_position(arg, address);
}

/* A section of that name; -1: there is none, or it can't be read. */
static int read_part(const struct elf_file *e, const char *name, struct exidx_part *part)
{
	GElf_Shdr section;
	Elf_Data *data;

	if (elf_named_section(e, name, &section) || section.sh_type == SHT_NOBITS ||
	    !section.sh_size)
		return -1;
	data = elf_file_part(e, section.sh_offset, section.sh_size, ELF_T_BYTE);
	if (!data || !data->d_buf)
		return -1;
	*part = (struct exidx_part){ data->d_buf, data->d_size, (uint32_t)section.sh_addr };
	return 0;
}

static int read_exidx(const struct elf_file *e, struct unwind_maker *m, struct error *err)
{
	struct exidx_source s = {
		.big_endian = e->head.e_ident[EI_DATA] == ELFDATA2MSB,
		.entry = (uint32_t)e->head.e_entry, .position = position, .arg = e,
	};

	if (read_part(e, ".ARM.exidx", &s.index))
		return fail(err, "it has no .ARM.exidx");
	read_part(e, ".ARM.extab", &s.table);	/* all may fit into the index */
	return exidx_rows(&s, m, err);
}

static int read_section(const struct elf_file *e, struct unwind_maker *m, struct error *err)
{
	struct cfi_source s = { .position = position, .arg = e };
	unsigned int i = 0;
	GElf_Shdr section;
	Elf_Data *data;

	if (e->head.e_machine == EM_ARM)
		return read_exidx(e, m, err);
	while (i < sizeof(machines) / sizeof(machines[0]) &&
	       machines[i].machine != e->head.e_machine)
		i++;
	if (i == sizeof(machines) / sizeof(machines[0]))
		return fail(err, "it is for another machine");
	if (elf_named_section(e, ".eh_frame", &section))
		return fail(err, "it has no .eh_frame");
	if (section.sh_type == SHT_NOBITS || !section.sh_size)
		return fail(err, "its .eh_frame is empty");
	data = elf_file_part(e, section.sh_offset, section.sh_size, ELF_T_BYTE);
	if (!data || !data->d_buf)
		return -1;
	s.bytes = data->d_buf;
	s.size = data->d_size;
	s.address = section.sh_addr;
	s.big_endian = e->head.e_ident[EI_DATA] == ELFDATA2MSB;
	s.word = machines[i].word;
	s.fp = machines[i].fp;
	s.sp = machines[i].sp;
	return cfi_rows(&s, m, err);
}

int cfi_read_image(void *image, size_t n, struct unwind_maker *m, struct error *err)
{
	struct elf_file e;
	int result;

	if (elf_file_memory(&e, image, n, err))
		return -1;
	result = read_section(&e, m, err);
	elf_file_close(&e);
	return result;
}

int cfi_read(int fd, struct unwind_maker *m, struct error *err)
{
	struct elf_file e;
	int result;

	if (elf_file_open(&e, fd, err))
		return -1;
	result = read_section(&e, m, err);
	elf_file_close(&e);
	return result;
}
