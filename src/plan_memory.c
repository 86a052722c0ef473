// SPDX-License-Identifier: GPL-2.0
#include "src/plan_memory.h"

#include <string.h>

#include "compat/kernel/kernel.h"
#include "compat/base/scan.h"

#define LEAST_ENTRIES 256
#define ENTRY_EXTRA 64			/* what the kernel keeps with each, more or less */

/* A line of /proc/meminfo, in bytes; 0: there is none. */
static uint64_t bytes_of(const char *meminfo, const char *line)
{
	const char *at = strstr(meminfo, line);
	uint64_t kb;

	if (!at)
		return 0;
	at += strlen(line);
	at += strspn(at, " ");
	return scan_number(&at, UINT64_MAX / 1024, &kb) ? kb * 1024 : 0;
}

uint64_t tables_memory(struct kernel *k)
{
	const char *meminfo = kernel_live(k) ? kernel_text(k, "/proc/meminfo") : NULL;
	uint64_t available;

	if (!meminfo)
		return 0;
	available = bytes_of(meminfo, "\nMemAvailable:");	/* 3.14 */
	if (!available)
		available = bytes_of(meminfo, "\nMemFree:") + bytes_of(meminfo, "\nCached:");
	return available / 3;
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
		/* not a power of two: see add_stack_tables() in src/plan.c */
		if (largest->kind == MAP_STACKS && !(largest->entries & (largest->entries - 1)))
			largest->entries++;
		smaller = true;
	}
}
