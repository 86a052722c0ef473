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

/* ---- what can be learned of it elsewhere ---- */

/* What --without hides is there: it is no fact of the kernel. */
static bool is_fact(const struct verdict *v)
{
	return v->known && !v->unknown && v->cause != CAUSE_WITHOUT;
}

void kernel_learned(struct kernel *k, struct strbuf *to)
{
	char **symbol;

	for (enum feature f = 0; f < FEATURES; f++)
		if (is_fact(&k->verdicts[f]))
			strbuf_addf(to, "feature %s %s\n", feature_name(f),
				    kernel_has(k, f) ? "yes" : "no");
	for (uint32_t at = 0; (symbol = hash_next(&k->functions, &at));)
		if (*symbol)
			strbuf_addf(to, "function %s\n", *symbol);
}
