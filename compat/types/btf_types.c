// SPDX-License-Identifier: GPL-2.0
/* Types of the kernel one by one, and by their names. */
#include <string.h>

#include "compat/types/btf_internal.h"

#define LEAST_NEGATIVE (-65536)

/*
 * What pahole before 1.24 wrote has no sign of enums: a number of theirs was an int. All numbers of
 * an enum have one sign in C, and those below 0 are small; others with the highest bit are flags.
 */
static bool looks_signed(const struct btf_type *t)
{
	bool negative = false;

	for (uint32_t i = 0; i < t->n; i++) {
		const int32_t value = (int32_t)btf_get(t->in, t->at + i * 8 + 4);

		if (value < LEAST_NEGATIVE)
			return false;
		negative |= value < 0;
	}
	return negative;
}

static void describe(const struct type *from, struct btf_type *t)
{
	*t = (struct btf_type){ .kind = from->kind, .n = from->vlen, .target = from->target,
				.flag = from->bits, .name = btf_string(from->in, from->name),
				.in = from->in, .at = from->members };
	if (t->kind == BTF_ENUM && !t->in->signs)
		t->flag = looks_signed(t);
}

bool btf_type(struct btf *b, uint32_t id, struct btf_type *t)
{
	struct type type;

	*t = (struct btf_type){ .kind = BTF_VOID, .name = "", .in = b };
	if (!id)
		return true;
	if (!btf_at(b, id, &type))
		return false;
	describe(&type, t);
	return true;
}

bool btf_member(const struct btf_type *t, uint32_t i, struct btf_member *m)
{
	const uint32_t size = t->kind == BTF_PROTOTYPE || t->kind == BTF_ENUM ? 8 : 12,
		       at = t->at + i * size;
	uint32_t second, third;

	if (i >= t->n)
		return false;
	second = btf_get(t->in, at + 4);
	third = size == 12 ? btf_get(t->in, at + 8) : 0;
	*m = (struct btf_member){ .name = btf_string(t->in, btf_get(t->in, at)), .type = second };
	if (t->kind == BTF_STRUCT || t->kind == BTF_UNION) {
		m->bits = t->flag ? third & 0xffffff : third;
		m->width = t->flag ? third >> 24 : 0;
	} else if (t->kind == BTF_ENUM) {
		m->value = t->flag ? (int64_t)(int32_t)second : (int64_t)second;
	} else if (t->kind == BTF_ENUM64) {
		m->value = (int64_t)((uint64_t)third << 32 | second);
	}
	return !t->in->cut_off;
}

void btf_int(const struct btf_type *t, uint32_t *bits, uint32_t *encoding)
{
	const uint32_t word = btf_get(t->in, t->at);

	*bits = word & 0xff;
	*encoding = word >> 24 & 0xf;
}

void btf_array(const struct btf_type *t, uint32_t *element, uint32_t *n)
{
	*element = btf_get(t->in, t->at);
	*n = btf_get(t->in, t->at + 8);
}

/* ---- by names ---- */

#define PLACES 8

/* Where a name is among all names: usually once. */
struct places {
	uint32_t at[PLACES];
	unsigned int n;
};

static void add_places(const struct btf *b, const char *name, size_t length, struct places *to)
{
	const char *from = b->strings, *end = b->strings + b->strings_size, *hit;
	const uint32_t first = b->base ? b->base->strings_size : 0;

	while (length && to->n < PLACES &&
	       (hit = memmem(from, (size_t)(end - from), name, length)) != NULL) {
		if (hit > b->strings && !hit[-1] && hit + length < end && !hit[length])
			to->at[to->n++] = first + (uint32_t)(hit - b->strings);
		from = hit + 1;
	}
}

static struct places places_of(const struct btf *b, const char *name, size_t length)
{
	struct places p = { };

	if (b->base)
		add_places(b->base, name, length, &p);
	add_places(b, name, length, &p);
	return p;
}

static bool is_place(const struct places *p, uint32_t at)
{
	for (unsigned int i = 0; i < p->n; i++)
		if (p->at[i] == at)
			return true;
	return false;
}

static uint32_t by_index(struct btf *b, uint32_t kinds, const char *name, size_t length,
			 unsigned int *found)
{
	const struct btf_named *one = NULL;
	uint32_t id = 0;

	while (length && (one = btf_chain(b, name, length, one)) != NULL)
		if (kinds >> one->kind & 1) {
			id = one->id;
			(*found)++;
		}
	return id;
}

uint32_t btf_named(struct btf *b, uint32_t kinds, const char *name, size_t length,
		   unsigned int *found)
{
	uint32_t id = 0, at = 0, next;
	struct places p;
	struct step s;

	*found = 0;
	if (!(kinds & ~BTF_INDEXED) || (kinds == 1u << BTF_FUNCTION && btf_index_functions(b)))
		return by_index(b, kinds, name, length, found);
	p = places_of(b, name, length);
	for (uint32_t i = 1; p.n && i <= b->n_types; i++, at = next) {
		next = btf_next(b, at, &s);
		if (!next)
			break;
		if (kinds >> s.kind & 1 && is_place(&p, s.name) && !(*found)++)
			id = b->first + i;
	}
	return id;
}

int btf_number(struct btf *b, const char *name, size_t length, struct btf_member *m,
	       bool *is_signed)
{
	const struct places p = places_of(b, name, length);
	uint32_t at = 0, next;
	int found_any = 0;

	for (uint32_t i = 1; p.n && i <= b->n_types; i++, at = next) {
		struct btf_member one;
		struct type found;
		struct btf_type t;
		struct step s;
		uint32_t each;

		next = btf_next(b, at, &s);
		if (!next)
			break;
		each = s.kind == BTF_ENUM ? 8 : s.kind == BTF_ENUM64 ? 12 : 0;
		if (!each)
			continue;
		btf_read(b, at, &found);
		for (uint32_t j = 0; j < found.vlen; j++) {
			if (!is_place(&p, btf_get(b, found.members + j * each)))
				continue;
			describe(&found, &t);
			if (!btf_member(&t, j, &one))
				return 0;
			if (found_any && one.value != m->value)
				return -1;
			*m = one;
			m->type = i;
			*is_signed = t.flag;
			found_any = 1;
		}
	}
	return found_any;
}
