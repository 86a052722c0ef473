// SPDX-License-Identifier: GPL-2.0
#include "insns/verifier/check_state.h"

struct reg reg_number(uint64_t min, uint64_t max)
{
	return (struct reg){ .type = REG_NUMBER, .min = min, .max = max };
}

const char *reg_text(const struct reg *r)
{
	static const char *const texts[] = {
		[REG_UNSET] = "not set, or not to the same kind of thing, on every path here",
		[REG_NUMBER] = "a number",
		[REG_CONTEXT] = "the context",
		[REG_ADDRESS] = "an address within the context",
		[REG_FRAME] = "the frame pointer",
		[REG_STACK] = "a stack address",
		[REG_MAP] = "a map",
		[REG_VALUE_OR_NULL] = "a map value or 0: compare it with 0 first",
		[REG_VALUE] = "a map value",
		[REG_TASK] = "a task",
		[REG_REGISTERS] = "the registers of user space",
		[REG_FUNCTION] = "a function",
		[REG_STRUCT] = "a struct of the kernel",
	};

	return texts[r->type];
}

void state_start(const struct checker *ck, struct state *s)
{
	memset(s, 0, state_size(ck));
	s->regs[BPF_REG_1].type = REG_CONTEXT;
	s->regs[BPF_REG_10].type = REG_FRAME;
}

static bool same_kind(const struct reg *a, const struct reg *b)
{
	return a->type == b->type && a->map == b->map && a->off == b->off;
}

static bool is_value(const struct reg *r)
{
	return r->type == REG_VALUE || r->type == REG_VALUE_OR_NULL;
}

/* Values of two maps may be used alike if they are equally large. The kernel walks each path. */
static bool merge_values(struct reg *into, const struct reg *from, const struct check *c)
{
	if (!is_value(into) || !is_value(from) || into->off != from->off ||
	    c->maps[into->map].value_size != c->maps[from->map].value_size)
		return false;
	if (from->type == REG_VALUE_OR_NULL)
		into->type = REG_VALUE_OR_NULL;
	return true;
}

static void reg_merge(struct reg *into, const struct reg *from, const struct check *c)
{
	if (!same_kind(into, from)) {
		if (merge_values(into, from, c))
			return;
		*into = (struct reg){ .type = REG_UNSET };
		return;
	}
	if (from->min < into->min)
		into->min = from->min;
	if (from->max > into->max)
		into->max = from->max;
	if (from->member < into->member)
		into->member = from->member;
}

void state_merge(const struct checker *ck, struct state *into, const struct state *from)
{
	for (int i = 0; i < 11; i++)
		reg_merge(&into->regs[i], &from->regs[i], ck->c);
	for (int i = 0; i < stack_size(ck) / 64; i++)
		into->written[i] &= from->written[i];
	/* A pointer on one path and data on the other path is neither: it can't be read. */
	for (int i = 0; i < STACK_WORDS; i++)
		if (into->spilled[i].type)
			reg_merge(&into->spilled[i], &from->spilled[i], ck->c);
}

/*
 * Kernels up to 4.12 compare only values of constants. Later kernels also compare ranges, but
 * ignore dead registers.
 */
static bool reg_covers(const struct reg *old, const struct reg *r)
{
	if (old->type == REG_UNSET)
		return true;
	if (!same_kind(old, r) || old->member > r->member)
		return false;
	return old->type != REG_NUMBER || old->min != old->max ||
	       (r->min == old->min && r->max == old->max);
}

bool state_covers(const struct checker *ck, const struct state *old, const struct state *s)
{
	for (int i = 0; i < 11; i++)
		if (!reg_covers(&old->regs[i], &s->regs[i]))
			return false;
	for (int i = 0; i < stack_size(ck) / 64; i++)
		if (old->written[i] & ~s->written[i])
			return false;
	for (int i = 0; i < STACK_WORDS; i++)
		if (!reg_covers(&old->spilled[i], &s->spilled[i]))
			return false;
	return true;
}

bool stack_written(const struct state *s, int off, unsigned int size)
{
	for (unsigned int end = (unsigned int)-off, at = end - size; at < end; at++)
		if (!(s->written[at / 64] & 1ULL << at % 64))
			return false;
	return true;
}

void stack_write(struct state *s, int off, unsigned int size)
{
	for (unsigned int end = (unsigned int)-off, at = end - size; at < end; at++) {
		if (at < STACK_SIZE)
			s->spilled[at / 8].type = REG_UNSET;
		s->written[at / 64] |= 1ULL << at % 64;
	}
}
