// SPDX-License-Identifier: GPL-2.0
#include "src/lib/symbols/pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct pool_entry {
	uint32_t hash;
	const char *text;		/* is behind the key, or is the key itself */
	char key[];
};

static uint32_t hash(const char *s)
{
	uint32_t h = 2166136261u;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	return h ^ h >> 15;
}

static struct pool_entry **slot_of(const struct pool *p, uint32_t h, const char *key)
{
	for (uint32_t i = h;; i++) {
		struct pool_entry **slot = &p->slots[i & (p->n_slots - 1)];

		if (!*slot || ((*slot)->hash == h && !strcmp((*slot)->key, key)))
			return slot;
	}
}

const char *pool_find(const struct pool *p, const char *key)
{
	const struct pool_entry *e = p->n_slots ? *slot_of(p, hash(key), key) : NULL;

	return e ? e->text : NULL;
}

static int more_slots(struct pool *p)
{
	struct pool more = { .n = p->n, .n_slots = p->n_slots ? 2 * p->n_slots : 256 };

	more.slots = calloc(more.n_slots, sizeof(*more.slots));
	if (!more.slots)
		return -1;
	for (unsigned int i = 0; i < p->n_slots; i++)
		if (p->slots[i])
			*slot_of(&more, p->slots[i]->hash, p->slots[i]->key) = p->slots[i];
	free(p->slots);
	*p = more;
	return 0;
}

const char *pool_add(struct pool *p, const char *key, const char *text)
{
	const size_t n = strlen(key) + 1, more = strcmp(key, text) ? strlen(text) + 1 : 0;
	struct pool_entry *e;

	if (p->n >= p->n_slots / 2 && more_slots(p))
		return NULL;
	e = malloc(sizeof(*e) + n + more);
	if (!e)
		return NULL;
	e->hash = hash(key);
	memcpy(e->key, key, n);
	memcpy(e->key + n, text, more);
	e->text = more ? e->key + n : e->key;
	*slot_of(p, e->hash, key) = e;
	p->n++;
	return e->text;
}

void pool_free(struct pool *p)
{
	for (unsigned int i = 0; i < p->n_slots; i++)
		free(p->slots[i]);
	free(p->slots);
	memset(p, 0, sizeof(*p));
}
