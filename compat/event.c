// SPDX-License-Identifier: GPL-2.0
#include "compat/event.h"

#include <string.h>

bool input_named(const char *wanted, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(wanted, name, n) && (!wanted[n] || (wanted[n] == '?' && !wanted[n + 1]));
}

bool input_optional(const char *wanted)
{
	size_t n = strlen(wanted);

	return n && wanted[n - 1] == '?';
}

const struct input *event_input(const struct event *e, const char *wanted)
{
	for (unsigned int i = 0; i < e->n_inputs; i++)
		if (input_named(wanted, e->inputs[i].name))
			return &e->inputs[i];
	return NULL;
}
