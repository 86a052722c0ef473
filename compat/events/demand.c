// SPDX-License-Identifier: GPL-2.0
#include "compat/events/demand.h"

#include "compat/events/event.h"

bool demand_wants(const struct demand *d, const char *name)
{
	for (unsigned int i = 0; i < d->n_inputs; i++)
		if (input_named(d->inputs[i].name, name))
			return true;
	return false;
}
