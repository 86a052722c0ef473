/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SYMBOL_POOL_H
#define SONDE_SYMBOL_POOL_H

#include <stdbool.h>

/*
 * Texts that stay, each once, by another text: the names that are shown, by those that symbols
 * have. All zero: empty.
 */
struct pool {
	struct pool_entry **slots;
	unsigned int n, n_slots;
};

/* What belongs to the key; NULL: nothing yet. */
const char *pool_find(const struct pool *p, const char *key);
/* `text` from now on belongs to `key`, which has none. Returns the copy; NULL: no memory. */
const char *pool_add(struct pool *p, const char *key, const char *text);
void pool_free(struct pool *p);

#endif
