// SPDX-License-Identifier: GPL-2.0
#include "compat/base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int array_room(void *array, size_t n, size_t element)
{
	void *old, *more;

	if (n & (n - 1))
		return 0;
	if (n > SIZE_MAX / 2 / element)
		return -1;
	memcpy(&old, array, sizeof(old));
	more = realloc(old, (n ? 2 * n : 1) * element);
	if (!more)
		return -1;
	memcpy(array, &more, sizeof(more));
	return 0;
}
