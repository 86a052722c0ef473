// SPDX-License-Identifier: GPL-2.0
#include "compat/resolve/recorded.h"

#include "compat/binaries/binaries.h"
#include "compat/recordings/recorded_probes.h"

int recorded_has(struct kernel *k, struct event *const *events, int n, const char *hook,
		 struct refusal *refusal)
{
	for (int i = 0; i < n && kernel_recorded(k); i++) {
		const struct event *e = events[i];
		const char *kind = recorded_kind(e->kind);

		if (kind && !recorded_probe_of(recording_of(k), e,
					       e->binary ? e->binary->file : NULL, false))
			return not_served(refusal, hook, "the recording has no %s of %s() with "
					  "these inputs", kind, e->name);
	}
	return 0;
}
