// SPDX-License-Identifier: GPL-2.0
/* clock TIME REALTIME: what the clock says at a time. */
#include "backends/replay/readers/reader.h"

static int read_clock(struct reader *r)
{
	uint64_t time, realtime;

	if (reader_number(r, &time) || reader_number(r, &realtime))
		return -1;
	wall_note(&r->records->wall, (int64_t)time, (int64_t)realtime);
	return 0;
}

const struct record_reader clock_reader = { "clock ", read_clock };
