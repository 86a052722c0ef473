// SPDX-License-Identifier: GPL-2.0
/* task TID TGID COMM: a task known from the beginning. */
#include "backends/replay/readers/reader.h"

static int read_task(struct reader *r)
{
	uint64_t tid, tgid;

	if (reader_number(r, &tid) || reader_number(r, &tgid))
		return -1;
	reader_space(r);
	stream_task(r->records->stream, tid, tgid, r->at);	/* a name may have spaces */
	return 0;
}

const struct record_reader task_reader = { "task ", read_task };
