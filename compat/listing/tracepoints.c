// SPDX-License-Identifier: GPL-2.0
/* Tracepoints, by SYSTEM:EVENT; probes that somebody made have such names too, and are left out. */
#include "compat/listing/listing.h"

#include <string.h>

#include "compat/kernel/kernel_internal.h"

/* Those that are no tracepoints of the kernel: what the tracers themselves write. */
static bool is_event(const char *name)
{
	return strncmp(name, "ftrace:", 7) && strncmp(name, "sonde_", 6);
}

int list_tracepoints(struct kernel *k, const struct wanted_names *w, struct listing *to,
		     struct error *err)
{
	const char *all = kernel_text(k, "tracefs:available_events");
	static const struct listed tracepoint;
	char name[256];

	if (!all)
		return fail(err, "this kernel does not list its tracepoints: "
				 "tracefs can't be read");
	while (*all) {
		size_t n = strcspn(all, "\n");

		if (n && n < sizeof(name)) {
			memcpy(name, all, n);
			name[n] = '\0';
			if (is_event(name) && w->wanted(w->arg, name) &&
			    listing_add(to, &tracepoint, name, n))
				return fail(err, "out of memory");
		}
		all += n + (all[n] == '\n');
	}
	listing_sort(to);
	return 0;
}
