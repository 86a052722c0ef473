// SPDX-License-Identifier: GPL-2.0
#include "src/session/source.h"

#include <errno.h>
#include <unistd.h>

#include "backends/offsets/find.h"
#include "backends/replay/replay.h"
#include "backends/tracefs/try.h"
#include "compat/probing/running.h"

int source_open(struct source *s, const char *input, struct error *err)
{
	static const struct backend *const replay[] = { &backend_replay, NULL };

	*s = (struct source){ input ? replay : backends, input };
	return input && access(input, R_OK) ?
		fail_with(err, errno, "can't read the records of %s: %m", input) : 0;
}

struct kernel *source_kernel(const char *snapshot, struct error *err)
{
	struct kernel *k = snapshot ? kernel_snapshot(snapshot, err) : kernel_running();

	if (!k) {
		if (!snapshot)
			fail(err, "out of memory");
		return NULL;
	}
	if (snapshot)
		return k;
	kernel_set_finder(k, find_offsets);
	kernel_set_trier(k, try_function);
	return k;
}
