// SPDX-License-Identifier: GPL-2.0
/* switches: from here on switches of a CPU must follow each other. */
#include "backends/replay/readers/reader.h"

static int read_switches(struct reader *r)
{
	return stream_follow_switches(r->records->stream, r->records->kernel, r->err);
}

const struct record_reader switches_reader = { "switches", read_switches };
