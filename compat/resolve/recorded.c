// SPDX-License-Identifier: GPL-2.0
#include "compat/resolve/recorded.h"

#include "compat/binaries/binaries.h"
#include "compat/recordings/recorded_probes.h"

/*
 * A probe reads bytes as words. Those of the other byte order would be turned as numbers are. Of
 * pieces the address before them is one.
 */
static void keep_bytes(struct recording *recording, const struct recorded_probe *p,
		       const struct event *e)
{
	for (unsigned int i = 0; i < e->layout->n_inputs; i++) {
		const struct input *in = &e->layout->inputs[i];

		if (in->place == PLACE_PIECES)
			recorded_bytes(recording, p, in->offset + in->register_size,
				       in->size - in->register_size);
		else if (in->place == PLACE_RECORD &&
			 (in->kind != INPUT_NUMBER || in->network_order))
			recorded_bytes(recording, p, in->offset, in->size);
	}
}

int recorded_has(struct kernel *k, struct event *const *events, int n, const char *hook,
		 struct refusal *refusal)
{
	for (int i = 0; i < n && kernel_recorded(k); i++) {
		const struct event *e = events[i];
		const char *kind = recorded_kind(e->kind);
		const struct recorded_probe *p = kind ?
			recorded_probe_of(recording_of(k), e, e->binary ? e->binary->file : NULL,
					  false) : NULL;

		if (kind && !p)
			return not_served(refusal, hook, "the recording has no %s of %s() with "
					  "these inputs", kind, e->name);
		if (p)
			keep_bytes(recording_of(k), p, e);
	}
	return 0;
}
