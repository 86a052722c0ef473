/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HASH_INDEX_H
#define SONDE_HASH_INDEX_H

#include <stdint.h>

/*
 * Finds entries by their hashes. The caller keeps the entries, in an array say, and gives each a
 * number, from 1 on; it compares the keys. Numbers with one hash stay in the order in which they
 * were added. All zero: empty.
 *
 *	for (uint32_t at = hash, number; (number = hash_index_next(x, hash, &at));)
 *		if (is_same(&entries[number - 1], key))
 *			return &entries[number - 1];
 */
struct hash_slot {
	uint32_t hash, number;		/* number 0: free */
};

struct hash_index {
	struct hash_slot *slots;	/* mask + 1, a power of two; half are used at most */
	uint32_t mask, n;
};

/* Makes room for one more. Returns -1 if there is no memory. */
int hash_index_room(struct hash_index *x);
/* Adds a number, for which there is room. */
void hash_index_put(struct hash_index *x, uint32_t hash, uint32_t number);
/* Removes a number, which is there. */
void hash_index_drop(struct hash_index *x, uint32_t hash, uint32_t number);
/* Removes all numbers, and keeps the room for them; or frees it. */
void hash_index_clear(struct hash_index *x);
void hash_index_free(struct hash_index *x);

/* The next number with this hash; 0: there is none. *at is the hash at first. */
static inline uint32_t hash_index_next(const struct hash_index *x, uint32_t hash, uint32_t *at)
{
	const struct hash_slot *s;

	if (!x->slots)
		return 0;
	while ((s = &x->slots[(*at)++ & x->mask])->number)
		if (s->hash == hash)
			return s->number;
	return 0;
}

#endif
