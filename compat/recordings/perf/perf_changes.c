// SPDX-License-Identifier: GPL-2.0
/* What the kernel's records tell of processes. */
#include <linux/perf_event.h>

#include "compat/recordings/perf/perf_data.h"

#define MODE 7			/* of misc: whose memory it is */
#define MODE_USER 2
#define OF_DATA (1U << 13)	/* of a mapping: it has no code */
#define EXECUTED (1U << 13)	/* of a name: the task runs another program */
#define HAS_BUILD_ID (1U << 14)
#define NO_PROCESS UINT32_MAX

/* Without times nobody knows what was mapped when. Returns -1 and sets err. */
static int keep(struct recording *r, const struct perf_record *record,
		struct recorded_change *change, const char *what, struct error *err)
{
	struct perf_sample s;

	if (!perf_sample_end(r, record, &s))
		return recording_fails(r, what, err);
	if (!s.attr->id_all || !(s.attr->sample_type & PERF_SAMPLE_TIME)) {
		r->changes.untimed = true;
		return 0;
	}
	/* Whoever was there before the first event has its own mappings told, not its maker's. */
	if (change->kind == CHANGE_FORK && !s.time)
		return 0;
	change->time = s.time;
	return recording_add_change(r, change) ? fail(err, "out of memory") : 0;
}

static void read_identity(struct cursor *c, uint16_t misc, struct recorded_change *to)
{
	struct cursor id = *c;
	uint8_t size;

	if (misc & HAS_BUILD_ID) {
		const uint8_t *bytes = cursor_bytes(&id, 24);

		size = bytes ? bytes[0] : 0;
		to->identified = size && size <= BUILD_ID;
		if (to->identified)
			memcpy(to->build_id, bytes + 4, size);
	} else {
		to->major = cursor_u32(&id);
		to->minor = cursor_u32(&id);
		to->inode = cursor_u64(&id);
		to->generation = cursor_u64(&id);
	}
	cursor_bytes(c, 24);
	cursor_u64(c);			/* protection, flags */
}

int perf_change_mapped(struct recording *r, const struct perf_record *record, struct error *err)
{
	struct cursor c = record->body;
	struct recorded_change change = {
		.kind = CHANGE_MAP, .code = !(record->misc & OF_DATA), .pid = cursor_u32(&c),
	};

	change.tid = cursor_u32(&c);
	change.start = cursor_u64(&c);
	change.length = cursor_u64(&c);
	change.offset = cursor_u64(&c);
	if (record->type == PERF_RECORD_MMAP2)
		read_identity(&c, record->misc, &change);
	change.text = cursor_text(&c);
	if (c.broken)
		return recording_fails(r, "a mapping can't be read", err);
	if (!r->changes.wanted || change.pid == NO_PROCESS || (record->misc & MODE) != MODE_USER)
		return 0;
	return keep(r, record, &change, "a mapping can't be read", err);
}

int perf_change_named(struct recording *r, const struct perf_record *record, struct error *err)
{
	struct cursor c = record->body;
	struct recorded_change change = {
		.kind = record->misc & EXECUTED ? CHANGE_EXEC : CHANGE_NAME,
		.pid = cursor_u32(&c),
	};

	change.tid = cursor_u32(&c);
	change.text = cursor_text(&c);
	if (!r->changes.wanted || c.broken)
		return 0;
	return keep(r, record, &change, "the name of a task can't be read", err);
}

/* Of processes, not of their threads. */
int perf_change_lived(struct recording *r, const struct perf_record *record, struct error *err)
{
	struct cursor c = record->body;
	struct recorded_change change = {
		.kind = record->type == PERF_RECORD_FORK ? CHANGE_FORK : CHANGE_EXIT,
		.pid = cursor_u32(&c),
	};
	uint64_t time;

	change.parent = cursor_u32(&c);
	change.tid = cursor_u32(&c);
	cursor_u32(&c);			/* the thread that made it */
	time = cursor_u64(&c);
	if (!r->changes.wanted || c.broken || !time || change.pid != change.tid ||
	    (change.kind == CHANGE_FORK && change.pid == change.parent))
		return 0;
	return keep(r, record, &change, "the life of a task can't be read", err);
}
