/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HASH_H
#define SONDE_HASH_H

#include "compat/base/hash_bytes.h"
#include "compat/base/hash_index.h"

/*
 * A table of values by keys of any bytes. A value stays at its address until it is removed. Only
 * value_size is set at first, the rest is zero.
 */
struct hash {
	size_t value_size;
	struct hash_entry **entries;	/* in the order of their addition; NULL: was removed */
	uint32_t n_entries;
	struct hash_index index;	/* index.n: the number of values */
	struct hash_seed seed;
};

/* The value of a key. Returns NULL if there is none. */
void *hash_find(const struct hash *h, const void *key, size_t size);
/* The value of a key, which is new and zero if there was none. Returns NULL without memory. */
void *hash_add(struct hash *h, const void *key, size_t size);
/* Removes the value of a key, if it has one. */
void hash_remove(struct hash *h, const void *key, size_t size);
/* The key of a value. */
const void *hash_key(const struct hash *h, const void *value);
/* The next value in the order of addition, from *at = 0 on; NULL: the end. */
void *hash_next(const struct hash *h, uint32_t *at);
/* Removes all values. */
void hash_clear(struct hash *h);

#endif
