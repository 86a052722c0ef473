// SPDX-License-Identifier: GPL-2.0
#include "compat/kernel/keep.h"

#include <stdlib.h>

#include "compat/kernel/kernel_internal.h"

struct kept {
	struct kept *next;
	const struct kernel_key *key;
	max_align_t what[];
};

static struct kept *find(const struct kernel *k, const struct kernel_key *key)
{
	struct kept *kept = k->kept;

	while (kept && kept->key != key)
		kept = kept->next;
	return kept;
}

void *kernel_keep(struct kernel *k, const struct kernel_key *key)
{
	struct kept *kept = find(k, key);

	if (kept)
		return kept->what;
	kept = calloc(1, sizeof(*kept) + key->size);
	if (!kept)
		return NULL;
	kept->key = key;
	kept->next = k->kept;
	k->kept = kept;
	return kept->what;
}

void *kernel_kept(const struct kernel *k, const struct kernel_key *key)
{
	struct kept *kept = find(k, key);

	return kept ? kept->what : NULL;
}

void keep_free(struct kernel *k)
{
	while (k->kept) {
		struct kept *kept = k->kept;

		k->kept = kept->next;
		kept->key->end(kept->what);
		free(kept);
	}
}
