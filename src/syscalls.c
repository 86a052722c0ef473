// SPDX-License-Identifier: GPL-2.0
#include "src/syscalls.h"

#include <string.h>

const char *syscall_name(int number)
{
	const char *name = syscall_names, *end = name + syscall_names_size;

	while (number > 0 && name < end) {
		name += strlen(name) + 1;
		number--;
	}
	return number == 0 && name < end && *name ? name : NULL;
}

int syscall_number(const char *name)
{
	const char *at = syscall_names;

	for (int number = 0; at < syscall_names + syscall_names_size; number++) {
		if (*at && !strcmp(at, name))
			return number;
		at += strlen(at) + 1;
	}
	return -1;
}
