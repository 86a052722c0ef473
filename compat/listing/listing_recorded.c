// SPDX-License-Identifier: GPL-2.0
/* Functions and probes (USDT) of user space that a recording has probes of. */
#include "compat/listing/listing_recorded.h"

#include <stdlib.h>
#include <string.h>

#include "compat/listing/user_files.h"

struct collecting {
	const struct wanted_names *w;
	struct listing *to;
};

/* The name of a probe (USDT) is PROVIDER:PROBE, and functions have no arguments. */
static int add(void *arg, const struct place *p)
{
	const struct collecting *c = arg;
	const char *colon = p->arguments ? strchr(p->symbol, ':') : NULL;
	const char *name = colon ? colon + 1 : p->symbol;
	struct listed one = { .binary = p->binary, .address = p->address,
			      .semaphore = p->semaphore };

	if ((p->arguments && !colon) || !c->w->wanted(c->w->arg, p->symbol))
		return 0;
	if (colon) {
		one.module = strndup(p->symbol, (size_t)(colon - p->symbol));
		one.arguments = strdup(p->arguments);
		if (!one.module || !one.arguments)
			return -1;
	}
	return listing_add(c->to, &one, name, strlen(name));
}

int list_recorded(struct kernel *k, const char *file, const struct wanted_names *w,
		  struct listing *to, struct error *err)
{
	struct collecting c = { w, to };
	const char *now = user_library_now(file);

	if (!strncmp(file, "lib", 3) && file[3] && !strstr(file, ".so"))
		file += 3;
	if (kernel_recorded_places(k, file, add, &c, err) &&
	    (!now || kernel_recorded_places(k, now, add, &c, err)))
		return -1;
	listing_sort(to);
	return 0;
}
