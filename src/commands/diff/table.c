// SPDX-License-Identifier: GPL-2.0
#include "src/commands/diff/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/text.h"

void diff_table_init(struct diff_table *t)
{
	*t = (struct diff_table){ .entries.value_size = sizeof(struct diff_entry) };
}

void diff_table_free(struct diff_table *t)
{
	struct diff_entry *e;

	for (uint32_t at = 0; (e = hash_next(&t->entries, &at));) {
		for (unsigned int i = 0; i < DIFF_SIDES * e->n; i++)
			free(e->amounts[i / DIFF_SIDES].spread[i % DIFF_SIDES].slots);
		free(e->amounts);
	}
	hash_clear(&t->entries);
}

int diff_measure(struct diff_table *t, const char *name, const char *unit, enum diff_kind kind,
		 bool spread)
{
	struct diff_measure m = { .kind = kind, .spread = spread };
	unsigned int i;

	text_cut(m.name, sizeof(m.name), "%s", name);
	text_cut(m.unit, sizeof(m.unit), "%s", unit ? unit : "");
	for (i = 0; i < t->n_measures; i++)
		if (t->measures[i].kind == kind && !strcmp(t->measures[i].name, m.name) &&
		    !strcmp(t->measures[i].unit, m.unit))
			return (int)i;
	if (i == DIFF_MEASURES)
		return -1;
	t->measures[t->n_measures++] = m;
	return (int)i;
}

static struct diff_entry *entry_of(struct diff_table *t, const void *key, size_t size)
{
	struct diff_entry *e = hash_find(&t->entries, key, size);

	if (e)
		return e;
	if (t->entries.index.n >= DIFF_KEYS) {
		t->crowded++;
		key = DIFF_OTHERS;
		size = 1;
	}
	e = hash_add(&t->entries, key, size);
	if (e)
		e->key_size = size;
	return e;
}

struct diff_amount *diff_amount(struct diff_table *t, const void *key, size_t size,
				unsigned int measure)
{
	struct diff_entry *e = entry_of(t, key, size);
	struct diff_amount *more;

	if (!e)
		return NULL;
	if (measure >= e->n) {
		more = realloc(e->amounts, (measure + 1) * sizeof(*more));
		if (!more)
			return NULL;
		memset(more + e->n, 0, (measure + 1 - e->n) * sizeof(*more));
		e->amounts = more;
		e->n = measure + 1;
	}
	return &e->amounts[measure];
}

int diff_spread(struct diff_table *t, struct diff_spread *s, const struct diff_slot *slot)
{
	uint32_t at = 0, end = s->n;

	while (at < end) {
		const uint32_t middle = (at + end) / 2;

		if (s->slots[middle].low < slot->low)
			at = middle + 1;
		else
			end = middle;
	}
	s->count += slot->count;
	if (at < s->n && s->slots[at].low == slot->low) {
		s->slots[at].count += slot->count;
		return 0;
	}
	if (t->n_slots == DIFF_SLOTS) {
		t->no_slots = true;
		return 0;
	}
	if (array_room(&s->slots, s->n, sizeof(*s->slots)))
		return -1;
	memmove(s->slots + at + 1, s->slots + at, (s->n - at) * sizeof(*s->slots));
	s->slots[at] = *slot;
	s->n++;
	t->n_slots++;
	return 0;
}

struct diff_slot diff_slot_of(int64_t value)
{
	struct diff_slot s = { value, value, 1 };
	unsigned int shift;

	if (value < 8)
		return s;
	shift = 60 - (unsigned int)__builtin_clzll((unsigned long long)value);
	s.low = value >> shift << shift;
	s.high = s.low + (((int64_t)1 << shift) - 1);
	return s;
}

int64_t diff_percentile(const struct diff_spread *s, unsigned int parts)
{
	const double wanted = (double)s->count * parts / 1000;
	double seen = 0;
	uint32_t i;

	for (i = 0; i + 1 < s->n; i++) {
		seen += (double)s->slots[i].count;
		if (seen >= wanted)
			break;
	}
	return s->slots[i].high;
}

double diff_shift(const struct diff_amount *a, const double seconds[DIFF_SIDES])
{
	const struct diff_spread *old = &a->spread[DIFF_OLD], *new = &a->spread[DIFF_NEW];
	uint32_t i = 0, j = 0;
	double shift = 0;

	while (i < old->n || j < new->n) {
		const bool in_old = i < old->n &&
			(j == new->n || old->slots[i].low <= new->slots[j].low);
		const bool in_new = j < new->n &&
			(i == old->n || new->slots[j].low <= old->slots[i].low);
		double was = in_old ? (double)old->slots[i].count / seconds[DIFF_OLD] : 0;
		double is = in_new ? (double)new->slots[j].count / seconds[DIFF_NEW] : 0;

		shift += fabs(is - was);
		i += in_old;
		j += in_new;
	}
	return shift;
}
