// SPDX-License-Identifier: GPL-2.0
#include "insns/lower/whose.h"

#include <string.h>

int whose_map(const struct map *maps, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		if (!strcmp(maps[i].name, MAP_WHOSE))
			return (int)i;
	return -1;
}
