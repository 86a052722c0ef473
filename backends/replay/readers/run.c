// SPDX-License-Identifier: GPL-2.0
/* run UNTIL: the end of a part of the file. */
#include "backends/replay/readers/reader.h"

static int read_run(struct reader *r)
{
	r->part = true;
	return reader_number(r, &r->records->until);
}

const struct record_reader run_reader = { "run ", read_run };
