// SPDX-License-Identifier: GPL-2.0
#include "src/run/plan_memory.h"

#include "backends/tracefs/memory.h"
#include "compat/kernel/kernel.h"

#define LEAST_ENTRIES 256
#define ENTRY_EXTRA 64			/* what the kernel keeps with each, more or less */

uint64_t tables_memory(struct kernel *k)
{
	uint64_t bytes;

	if (!kernel_live(k) || !memory_now(k, &bytes))
		return 0;
	return bytes < 3 ? 1 : bytes / 3;
}

static uint64_t size_of(const struct map *m)
{
	if (m->fd)
		return 0;
	if (m->kind != MAP_HASH && m->kind != MAP_STACKS && m->kind != MAP_WALKED)
		return 0;
	return (uint64_t)m->entries * (m->key_size + m->value_size + ENTRY_EXTRA);
}

bool plan_fit(struct plan *p, uint64_t bytes)
{
	bool smaller = false;

	for (;;) {
		struct map *largest = NULL;
		uint64_t all = 0;

		for (unsigned int i = 0; i < p->n_maps; i++) {
			const uint64_t size = size_of(&p->maps[i]);

			all += size;
			if (p->maps[i].entries >= 2 * LEAST_ENTRIES &&
			    (!largest || size > size_of(largest)))
				largest = &p->maps[i];
		}
		if (all <= bytes || !largest || !size_of(largest))
			return smaller;
		largest->entries /= 2;
		/* not a power of two: see add_stack_tables() in src/run/plan.c */
		if (largest->kind == MAP_STACKS && !(largest->entries & (largest->entries - 1)))
			largest->entries++;
		smaller = true;
	}
}
