// SPDX-License-Identifier: GPL-2.0
#include "src/language/types/placement.h"

#include "src/language/types/types.h"

struct machine machine_of(const struct arch *arch)
{
	return (struct machine){ .word = arch->word, .big_endian = arch->big_endian, .c = arch->c };
}

int64_t type_size(const struct c_type *t, const struct machine *m)
{
	int64_t size = t->pointers || t->row ? m->word : t->base == C_STRUCT ?
		       (t->source ? (int64_t)t->bytes : -1) : t->base == C_VOID ? -1 : t->size;

	for (unsigned int i = 0; size >= 0 && !t->row && i < t->n_dims; i++)
		if (__builtin_mul_overflow(size, (int64_t)t->dims[i], &size) || size > STRUCT_MOST)
			return -1;
	return size;
}

uint32_t type_align(const struct c_type *t, const struct machine *m)
{
	uint32_t most = m->c.most_align;

	if (t->align)
		return t->align;
	if (t->pointers || t->row)
		return m->word;
	if (t->base == C_STRUCT)
		return 1;
	if (t->base == C_OTHER && t->size > 8)
		most = t->is_signed ? m->c.long_double_align : m->big_endian ? 8 : 16;
	return t->size < most ? t->size : most;
}

/* Returns true if a bit field at `at` would be in several units of its type. */
static bool spans_units(uint64_t at, uint64_t width, uint64_t align, uint64_t size)
{
	return (at % align + width + align - 1) / align > size / align;
}

static uint64_t round_up(uint64_t n, uint64_t to)
{
	return (n + to - 1) / to * to;
}

static void raise(uint32_t *align, uint32_t to)
{
	if (*align < to)
		*align = to;
}

static uint32_t at_most(uint32_t align, const struct placement *l)
{
	return l->most && align > l->most ? l->most : align;
}

/* Places a bit field. *at is the first place that is free, and becomes the field's. */
static void place_bits(struct placement *l, const struct machine *m, const struct placed *p,
		       uint64_t *at, uint64_t size)
{
	const bool packed = p->packed || l->packed;
	const uint32_t bytes = type_align(p->type, m);
	const uint64_t align = 8ULL * bytes;

	/* gcc looks at #pragma pack before `packed`, and at neither for a field of no width. */
	if (p->named || m->c.unnamed_aligns)
		raise(&l->align, !p->width ? bytes : l->most ? at_most(bytes, l) :
		      packed ? 1 : bytes);
	if (p->align) {
		raise(&l->align, at_most(p->align, l));
		*at = round_up(*at, 8ULL * at_most(p->align, l));
	}
	/* A field of no width ends the unit, whatever is packed. */
	if (!p->width)
		*at = round_up(*at, align);
	else if (!packed && !l->most && spans_units(*at, (uint64_t)p->width, align, size))
		*at = round_up(*at, align);
}

int64_t placement_add(struct placement *l, const struct machine *m, const struct placed *p)
{
	const int64_t bytes = type_size(p->type, m);
	uint64_t at = l->is_union ? 0 : l->bits, size = 8 * (uint64_t)bytes, end;
	uint32_t align;

	if (bytes < 0 || bytes > STRUCT_MOST)
		return -1;
	if (p->width >= 0) {
		place_bits(l, m, p, &at, size);
		end = at + (uint64_t)p->width;
	} else {
		align = p->packed || l->packed ? 1 : type_align(p->type, m);
		raise(&align, p->align);
		align = at_most(align, l);
		raise(&l->align, align);
		at = round_up(at, 8ULL * align);
		end = at + size;
	}
	if (end > 8ULL * STRUCT_MOST)
		return -1;
	if (end > l->bits)
		l->bits = end;
	return (int64_t)at;
}

uint32_t placement_size(const struct placement *l)
{
	return (uint32_t)(round_up(l->bits, 8ULL * (l->align ? l->align : 1)) / 8);
}
