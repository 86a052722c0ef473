// SPDX-License-Identifier: GPL-2.0
#include "compat/base/hash.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"

struct hash_entry {
	size_t key_size;
	uint32_t hash;
	alignas(max_align_t) char value[];	/* and the key */
};

static bool is_key(const struct hash *h, const struct hash_entry *e, const void *key, size_t size)
{
	return e->key_size == size && !memcmp(e->value + h->value_size, key, size);
}

/* The number of the key's entry; 0: there is none. */
static uint32_t number_of(const struct hash *h, const void *key, size_t size, uint32_t hash)
{
	for (uint32_t at = hash, number; (number = hash_index_next(&h->index, hash, &at));)
		if (is_key(h, h->entries[number - 1], key, size))
			return number;
	return 0;
}

void *hash_find(const struct hash *h, const void *key, size_t size)
{
	uint32_t number = 0;

	if (h->index.n)
		number = number_of(h, key, size, hash_bytes(&h->seed, key, size));
	return number ? h->entries[number - 1]->value : NULL;
}

/* Closes the gaps of removed entries when they are most. */
static void close_gaps(struct hash *h)
{
	uint32_t n = 0;

	if (h->n_entries < 16 || h->n_entries & (h->n_entries - 1) || h->index.n > h->n_entries / 2)
		return;
	hash_index_clear(&h->index);
	for (uint32_t i = 0; i < h->n_entries; i++) {
		if (!h->entries[i])
			continue;
		h->entries[n++] = h->entries[i];
		hash_index_put(&h->index, h->entries[n - 1]->hash, n);
	}
	h->n_entries = n;
}

static struct hash_entry *new_entry(const struct hash *h, const void *key, size_t size)
{
	struct hash_entry *e = calloc(1, sizeof(*e) + h->value_size + size);

	if (!e)
		return NULL;
	e->key_size = size;
	e->hash = hash_bytes(&h->seed, key, size);
	if (size)
		memcpy(e->value + h->value_size, key, size);
	return e;
}

void *hash_add(struct hash *h, const void *key, size_t size)
{
	void *value = hash_find(h, key, size);
	struct hash_entry *e;

	if (value)
		return value;
	if (!h->n_entries)
		h->seed = hash_seed();
	close_gaps(h);
	if (hash_index_room(&h->index) ||
	    array_room(&h->entries, h->n_entries, sizeof(struct hash_entry *)))
		return NULL;
	e = new_entry(h, key, size);
	if (!e)
		return NULL;
	h->entries[h->n_entries++] = e;
	hash_index_put(&h->index, e->hash, h->n_entries);
	return e->value;
}

void hash_remove(struct hash *h, const void *key, size_t size)
{
	const uint32_t hash = hash_bytes(&h->seed, key, size);
	const uint32_t number = number_of(h, key, size, hash);

	if (!number)
		return;
	hash_index_drop(&h->index, hash, number);
	free(h->entries[number - 1]);
	h->entries[number - 1] = NULL;
	if (!h->index.n)
		h->n_entries = 0;
}

const void *hash_key(const struct hash *h, const void *value)
{
	return (const char *)value + h->value_size;
}

void *hash_next(const struct hash *h, uint32_t *at)
{
	while (*at < h->n_entries) {
		struct hash_entry *e = h->entries[(*at)++];

		if (e)
			return e->value;
	}
	return NULL;
}

void hash_clear(struct hash *h)
{
	for (uint32_t i = 0; i < h->n_entries; i++)
		free(h->entries[i]);
	free(h->entries);
	hash_index_free(&h->index);
	*h = (struct hash){ .value_size = h->value_size };
}
