// SPDX-License-Identifier: GPL-2.0
#include "tests/unit/helpers/nm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"

#define MOST 50000

static int by_address(const void *a, const void *b)
{
	const struct nm_symbol *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

size_t nm_symbols(const char *path, struct nm_symbol **list)
{
	char command[256], line[1024], type;
	size_t n = 0;
	FILE *f;

	snprintf(command, sizeof(command), "nm -n -S %s", path);
	f = popen(command, "r");
	ck_assert_ptr_nonnull(f);
	*list = malloc(MOST * sizeof(**list));
	ck_assert_ptr_nonnull(*list);
	while (fgets(line, sizeof(line), f) && n < MOST) {
		struct nm_symbol *k = &(*list)[n];
		unsigned long long at, size = 0;

		if (sscanf(line, "%llx %llx %c %63s", &at, &size, &type, k->name) < 4 &&
		    sscanf(line, "%llx %c %63s", &at, &type, k->name) < 3)
			continue;
		if (!strchr("tTwWi", type) || !strncmp(k->name, ".L", 2))
			continue;
		k->at = at;
		k->size = size;
		n++;
	}
	pclose(f);
	qsort(*list, n, sizeof(**list), by_address);
	return n;
}

bool nm_has(const struct nm_symbol *list, size_t n, uint64_t address, const char *name,
	    uint64_t *start)
{
	uint64_t nearest = 0;

	for (size_t i = 0; i < n && list[i].at <= address; i++)
		nearest = list[i].at;
	if (start)
		*start = nearest;
	for (size_t i = 0; i < n; i++)
		if (list[i].at == nearest && !strcmp(list[i].name, name))
			return true;
	return false;
}
