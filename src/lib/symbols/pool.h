/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SYMBOL_POOL_H
#define SONDE_SYMBOL_POOL_H

#include <stdbool.h>

/* A map from texts to texts that stay: from names of symbols to shown names. All zero: empty. */
struct pool {
	struct pool_entry **slots;
	unsigned int n, n_slots;
};

/* The text of a key. Returns NULL if it has none yet. */
const char *pool_find(const struct pool *p, const char *key);
/* Copies `text` for `key`, which has none yet. Returns the copy, or NULL if there is no memory. */
const char *pool_add(struct pool *p, const char *key, const char *text);
void pool_free(struct pool *p);

#endif
