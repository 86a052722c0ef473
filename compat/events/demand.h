/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DEMAND_H
#define SONDE_DEMAND_H

#include "compat/events/event.h"
#include "compat/hooks/hooks.h"

/* An input's name may end with `?`: the program works without it. */
struct wanted_input {
	const char *name;
	enum input_kind kind;
};

/* What a program needs of a hook. */
struct demand {
	const struct hook *hook;
	bool optional;		/* the tool works without the hook */
	bool spare;		/* optional, and nothing is missing without it */
	bool tracer;		/* the engine has the kernel's function tracer */
	unsigned int n_inputs;
	struct wanted_input *inputs;
};

/* Is the input with this name of a hook asked for? */
bool demand_wants(const struct demand *d, const char *name);

#endif
