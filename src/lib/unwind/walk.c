// SPDX-License-Identifier: GPL-2.0
#include "src/lib/unwind/walk.h"

#include <string.h>

#include "insns/stack_mark.h"

const struct unwind_row unwind_no_code = { .kind = UNWIND_END };

struct walk {
	unwind_find_fn find;
	void *arg;
	const struct arch *arch;
	const struct unwind_state *from;
	uint64_t registers[UNWIND_REGISTERS];
	uint64_t known;
	uint64_t mark;			/* why the walk ends early; 0: it does not */
};

static uint64_t read_stack(struct walk *w, uint64_t address)
{
	const uint64_t bottom = w->from->registers[w->arch->unwind.sp], at = address - bottom;
	const uint8_t word = w->arch->word;
	uint64_t value = 0;
	uint32_t narrow;

	if (address < bottom || address % word) {
		w->mark = STACK_MARK(BROKEN);
	} else if (at > w->from->size || w->from->size - at < word) {
		w->mark = STACK_MARK(CUT_DUMP);
	} else if (word == sizeof(narrow)) {
		memcpy(&narrow, w->from->stack + at, sizeof(narrow));
		value = narrow;
	} else {
		memcpy(&value, w->from->stack + at, sizeof(value));
	}
	return value;
}

static uint64_t read_register(struct walk *w, uint8_t reg)
{
	if (reg >= UNWIND_REGISTERS || !(w->known & 1ULL << reg)) {
		w->mark = STACK_MARK(NO_TABLE);
		return 0;
	}
	return w->registers[reg];
}

static uint64_t find_cfa(struct walk *w, const struct unwind_row *row, uint64_t ip)
{
	uint64_t cfa = read_register(w, row->reg) + (uint64_t)(int64_t)row->cfa;

	if (row->kind == UNWIND_DEREF && !w->mark)
		cfa = read_stack(w, cfa);
	if (row->kind == UNWIND_PLT && (ip & 15) >= row->limit)
		cfa += 8;
	return cfa;
}

static uint64_t saved(struct walk *w, uint8_t how, int32_t offset, uint64_t cfa)
{
	uint64_t base = how == UNWIND_AT_CFA ? cfa : w->registers[w->arch->unwind.sp];

	return read_stack(w, base + (uint64_t)(int64_t)offset);
}

/*
 * Returns the return address; 0: there is no caller. Afterwards the known registers are the stack
 * pointer, and the frame pointers if they were known before or the row restores them.
 */
static uint64_t step(struct walk *w, const struct unwind_row *row, uint64_t ip)
{
	const struct arch_unwind *m = &w->arch->unwind;
	uint64_t sp = w->registers[m->sp], fp = w->registers[m->fp], cfa, ra = 0;
	uint64_t known = w->known & (1ULL << m->fp | (m->other ? 1ULL << m->other : 0));

	cfa = find_cfa(w, row, ip);
	if (w->mark)
		return 0;
	if (row->ra_saved != UNWIND_SAME)
		ra = saved(w, row->ra_saved, row->ra, cfa);
	else if (m->link >= 0)
		ra = read_register(w, (uint8_t)m->link);
	else
		w->mark = STACK_MARK(NO_TABLE);
	if (row->fp_saved != UNWIND_SAME && !w->mark) {
		fp = saved(w, row->fp_saved, row->fp, cfa);
		known |= 1ULL << m->fp;
	}
	if (row->other && m->other && !w->mark) {
		w->registers[m->other] = saved(w, UNWIND_AT_CFA, row->other, cfa);
		known |= 1ULL << m->other;
	}
	ra &= (1ULL << m->bits) - 1;
	/*
	 * Stacks grow downwards. The CFA may only equal the stack pointer in a function that has
	 * nothing on the stack.
	 */
	if (!w->mark && (cfa < sp || (cfa == sp && row->ra_saved != UNWIND_SAME)))
		w->mark = STACK_MARK(BROKEN);
	w->registers[m->sp] = cfa;
	w->registers[m->fp] = fp;
	w->known = 1ULL << m->sp | known;
	return w->mark ? 0 : w->arch->thumb ? ra & ~1ULL : ra;
}

static const struct unwind_row *row_at(const struct walk *w, uint64_t address)
{
	const struct unwind_row *row = w->find(w->arg, address);

	return row == &unwind_no_code ? NULL : row;
}

/*
 * The same without a table: by a frame, as the kernel does it. The register may hold anything. It
 * is a frame pointer only if it leads upwards on the stack and to code.
 */
static uint64_t step_frame(struct walk *w)
{
	const struct arch_unwind *m = &w->arch->unwind;
	const uint64_t fp = w->registers[m->fp], known = 1ULL << m->sp | 1ULL << m->fp;
	uint64_t next, ra;

	w->mark = STACK_MARK(NO_TABLE);
	if (m->exidx || !(w->known & 1ULL << m->fp) || (fp && fp < w->registers[m->sp]))
		return 0;
	w->mark = 0;
	if (!fp)
		return 0;
	next = read_stack(w, fp);
	ra = read_stack(w, fp + w->arch->word) & ((1ULL << m->bits) - 1);
	if (w->mark || (next && next <= fp) ||
	    (ra && w->find(w->arg, ra - 1) == &unwind_no_code)) {
		w->mark = STACK_MARK(NO_TABLE);
		return 0;
	}
	w->registers[m->sp] = fp + 2 * w->arch->word;
	w->registers[m->fp] = next;
	w->known = known;
	return ra;
}

unsigned int unwind_walk(const struct arch *arch, const struct unwind_state *from,
			 unwind_find_fn find, void *arg, uint64_t *addresses, unsigned int most)
{
	struct walk w = {
		.find = find, .arg = arg, .arch = arch, .from = from, .known = from->known,
	};
	unsigned int n = 0;
	uint64_t ip = from->ip;
	bool caller = false;		/* ip is behind a call */

	memcpy(w.registers, from->registers, sizeof(w.registers));
	while (ip && n < most) {
		const struct unwind_row *row = row_at(&w, ip - caller);

		if (!row && caller && arch->unwind.exidx) {
			w.mark = STACK_MARK(BROKEN);
			break;
		}
		addresses[n++] = ip;
		if (row && row->kind == UNWIND_END)
			return n;
		ip = row ? step(&w, row, ip) : step_frame(&w);
		caller = !row || !row->signal;
		if (w.mark)
			break;
	}
	if (w.mark && n < most)
		addresses[n++] = w.mark;
	return n;
}
