// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/numbered.h"

#include <string.h>

static const char *name_of(int number, const char *name, unsigned int size)
{
	const char *end = name + size;

	while (number > 0 && name < end) {
		name += strlen(name) + 1;
		number--;
	}
	return number == 0 && name < end && *name ? name : NULL;
}

static int number_of(const char *name, const char *names, unsigned int size)
{
	const char *at = names;

	for (int number = 0; at < names + size; number++) {
		if (*at && !strcmp(at, name))
			return number;
		at += strlen(at) + 1;
	}
	return -1;
}

const char *errno_name(int number)
{
	return name_of(number, errno_names, errno_names_size);
}

int errno_number(const char *name)
{
	return number_of(name, errno_names, errno_names_size);
}
