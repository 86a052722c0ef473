// SPDX-License-Identifier: GPL-2.0
#include "src/lib/unwind/exidx.h"

#include <string.h>

#define STEPS_MOST (32U << 20)		/* instructions of a file */
#define CANT_UNWIND 1

enum { R4 = 4, R7 = 7, R11 = 11, SP = 13, LR = 14, PC = 15 };

/* The program of one function. Its bytes are in words, the most significant byte first. */
struct program {
	const struct exidx_source *s;
	const uint8_t *at;		/* the current word */
	unsigned int byte;		/* the next byte of it; 4: the word has been read */
	unsigned int words;		/* number of words behind it */
	uint32_t word;
	bool ended;
};

/*
 * The effect of a program: the caller's stack pointer is `base` + off, and popped registers are
 * saved at `base` + at[].
 */
struct effect {
	uint8_t base;
	int64_t off;
	uint16_t popped;		/* a bit for each register */
	int64_t at[16];
};

static uint32_t word_at(const struct exidx_source *s, const uint8_t *at)
{
	return s->big_endian ?
	       (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3] :
	       (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

/* The address that a word refers to, by a signed offset of 31 bits from the word's own address. */
static uint32_t place(const struct exidx_part *part, const uint8_t *at, uint32_t word)
{
	return part->address + (uint32_t)(at - part->bytes) +
		((word & 0x7fffffff) | (word & 0x40000000) << 1);
}

static uint8_t next(struct program *p)
{
	if (p->byte == 4 && !p->words) {
		p->ended = true;
		return 0xb0;		/* "finish", which a program may leave out at its end */
	}
	if (p->byte == 4) {
		p->at += 4;
		p->words--;
		p->word = word_at(p->s, p->at);
		p->byte = 0;
	}
	return (uint8_t)(p->word >> (24 - 8 * p->byte++));
}

static void pop(struct effect *e, unsigned int mask)
{
	for (unsigned int reg = 0; reg < 16; reg++) {
		if (!(mask & 1U << reg))
			continue;
		e->at[reg] = e->off;
		e->off += 4;
	}
	e->popped |= (uint16_t)mask;
}

static bool pop_under_mask(struct program *p, struct effect *e, uint8_t op)
{
	const unsigned int mask = (unsigned int)(op & 0xf) << 8 | next(p);

	if (!mask)			/* "refuse to unwind" */
		return false;
	pop(e, mask << R4);
	return !(mask & 1U << (SP - R4));
}

/* Fails after a pop: saved registers have offsets from the old base. */
static bool rebase(struct effect *e, uint8_t reg)
{
	if (reg == SP || reg == PC || e->popped)
		return false;
	e->base = reg;
	e->off = 0;
	return true;
}

static uint64_t uleb(struct program *p)
{
	uint64_t value = 0;
	unsigned int shift = 0;
	uint8_t byte;

	do {
		byte = next(p);
		if (shift < 28)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && !p->ended);
	return value;
}

/* Runs 0xb1 to 0xbf. Returns false if the instruction is unknown. */
static bool step_b(struct program *p, struct effect *e, uint8_t op)
{
	uint8_t operand;

	switch (op) {
	case 0xb1:
		operand = next(p);
		pop(e, operand);
		return operand && operand < 0x10;
	case 0xb2:
		e->off += 0x204 + (int64_t)(uleb(p) << 2);
		return true;
	case 0xb3:			/* floating-point registers, and a word */
		e->off += 8 * ((next(p) & 0xf) + 1) + 4;
		return true;
	case 0xb4:			/* the authentication code of the return address */
		e->off += 4;
		return true;
	case 0xb5:
		return true;
	default:
		e->off += 8 * ((op & 7) + 1) + 4;
		return op >= 0xb8;
	}
}

/* Returns false if the instruction is unknown, or refuses to unwind. */
static bool step(struct program *p, struct effect *e, uint8_t op)
{
	switch (op >> 4) {
	case 0x0: case 0x1: case 0x2: case 0x3:
		e->off += 4 * (op & 0x3f) + 4;
		return true;
	case 0x4: case 0x5: case 0x6: case 0x7:
		e->off -= 4 * (op & 0x3f) + 4;
		return true;
	case 0x8:
		return pop_under_mask(p, e, op);
	case 0x9:
		return rebase(e, op & 0xf);
	case 0xa:			/* r4 to r4 + n, and lr */
		pop(e, ((2U << (op & 7)) - 1) << R4 | (unsigned int)(op >> 3 & 1) << LR);
		return true;
	case 0xb:
		return step_b(p, e, op);
	case 0xc:
		if (op != 0xc8 && op != 0xc9)
			return false;
		e->off += 8 * ((next(p) & 0xf) + 1);
		return true;
	case 0xd:
		e->off += 8 * ((op & 7) + 1);
		return op < 0xd8;
	default:
		return false;
	}
}

/* Returns true if a row has room for the offset. Real functions need no larger ones. */
static bool fits(int64_t offset)
{
	return offset > INT32_MIN && offset < INT32_MAX;
}

static bool other_fits(int64_t offset)
{
	return offset >= INT16_MIN && offset < 0;
}

static void set_row(const struct effect *e, struct unwind_row *row)
{
	const uint8_t ra = e->popped & 1U << PC ? PC : LR;
	const int64_t fp = e->at[R7] - e->off, other = e->at[R11] - e->off,
		back = e->at[ra] - e->off;

	if (!fits(e->off) || !fits(fp) || !fits(back) ||
	    (e->popped & 1U << R11 && !other_fits(other)))
		return;
	row->kind = UNWIND_REGISTER;
	row->reg = e->base;
	row->cfa = (int32_t)e->off;
	if (e->popped & 1U << ra) {
		row->ra_saved = UNWIND_AT_CFA;
		row->ra = (int32_t)back;
	}
	if (e->popped & 1U << R7) {
		row->fp_saved = UNWIND_AT_CFA;
		row->fp = (int32_t)fp;
	}
	if (e->popped & 1U << R11)
		row->other = (int16_t)other;
}

/*
 * Returns -1 if the file has too many instructions. An unknown instruction leaves the row unknown.
 */
static int run(struct program *p, struct unwind_row *row, uint32_t *steps)
{
	struct effect e = { .base = SP };

	for (;;) {
		uint8_t op;

		if (!--*steps)
			return -1;
		op = next(p);
		if (op == 0xb0)
			break;
		if (!step(p, &e, op) || p->ended)
			return 0;
	}
	set_row(&e, row);
	return 0;
}

/* Finds the program behind the head at `at`. Returns false if the head is unknown. */
static bool find_program(const struct exidx_source *s, const uint8_t *at, const uint8_t *end,
			 struct program *p)
{
	*p = (struct program){ .s = s, .at = at, .byte = 1, .word = word_at(s, at) };
	if (!(p->word & 0x80000000)) {	/* a function that reads the program, as GNU's do */
		if (end - at < 8)
			return false;
		p->at = at + 4;
		p->word = word_at(s, p->at);
		p->words = p->word >> 24;
	} else if (p->word >> 24 == 0x81 || p->word >> 24 == 0x82) {
		p->words = p->word >> 16 & 0xff;
		p->byte = 2;
	} else if (p->word >> 24 != 0x80) {
		return false;
	}
	return (size_t)(end - p->at) / 4 > p->words;
}

static int read_entry(const struct exidx_source *s, const uint8_t *at, struct unwind_row *row,
		      uint32_t *steps)
{
	const uint32_t word = word_at(s, at + 4);
	struct program p;

	if (word == CANT_UNWIND)
		return 0;
	if (word & 0x80000000) {
		if (word >> 24 != 0x80 || !find_program(s, at + 4, at + 8, &p))
			return 0;
	} else {
		const uint32_t to = place(&s->index, at + 4, word) - s->table.address;

		if (s->table.size < 4 || to > s->table.size - 4 || to % 4 ||
		    !find_program(s, s->table.bytes + to, s->table.bytes + s->table.size, &p))
			return 0;
	}
	return run(&p, row, steps);
}

int exidx_rows(const struct exidx_source *s, struct unwind_maker *m, struct error *err)
{
	uint32_t steps = STEPS_MOST;

	for (size_t i = 0; i + 8 <= s->index.size; i += 8) {
		const uint8_t *at = s->index.bytes + i;
		const uint32_t address = place(&s->index, at, word_at(s, at)) & ~1U;
		const int64_t position = s->position(s->arg, address);
		struct unwind_row row = { .at = (uint32_t)position };

		if (position < 0 || position > UINT32_MAX)
			continue;
		if (address == (s->entry & ~1U))
			row.kind = UNWIND_END;
		else if (read_entry(s, at, &row, &steps))
			return fail(err, "its .ARM.exidx has more than %u instructions",
				    STEPS_MOST);
		unwind_add(m, &row);
	}
	return 0;
}
