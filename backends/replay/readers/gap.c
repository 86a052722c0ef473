// SPDX-License-Identifier: GPL-2.0
/* gap CPU FROM TO COUNT: events were lost. */
#include "backends/replay/readers/reader.h"

static int read_gap(struct reader *r)
{
	uint64_t cpu, from, to, count;

	if (reader_cpu(r, &cpu) || reader_number(r, &from) || reader_number(r, &to) ||
	    reader_number(r, &count))
		return -1;
	reader_saw(r, from, to);
	return stream_gap(r->records->stream, cpu, from, to, count);
}

const struct record_reader gap_reader = { "gap ", read_gap };
