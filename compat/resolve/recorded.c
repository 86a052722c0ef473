// SPDX-License-Identifier: GPL-2.0
#include "compat/resolve/recorded.h"

#include "compat/binaries/binaries.h"
#include "compat/recordings/recorded_probes.h"

/*
 * A probe reads bytes as words. Those of the other byte order were turned as numbers are: the bytes
 * are lost.
 */
static const struct input *turned(const struct event *e)
{
	for (unsigned int i = 0; i < e->layout->n_inputs; i++) {
		const struct input *in = &e->layout->inputs[i];

		if (in->place == PLACE_PIECES || in->place == PLACE_ROW ||
		    (in->place == PLACE_RECORD &&
		     (in->kind != INPUT_NUMBER || in->network_order)))
			return in;
	}
	return NULL;
}

int recorded_has(struct kernel *k, struct event *const *events, int n, const char *hook,
		 struct refusal *refusal)
{
	for (int i = 0; i < n && kernel_recorded(k); i++) {
		const struct event *e = events[i];
		const char *kind = recorded_kind(e->kind);
		const struct input *in = kind && recording_foreign(recording_of(k)) ? turned(e) :
					 NULL;

		if (in)
			return not_served(refusal, hook, "%s of a probe can't be read from a "
					  "recording of the other byte order", in->name);
		if (kind && !recorded_probe_of(recording_of(k), e,
					       e->binary ? e->binary->file : NULL, false))
			return not_served(refusal, hook, "the recording has no %s of %s() with "
					  "these inputs", kind, e->name);
	}
	return 0;
}
