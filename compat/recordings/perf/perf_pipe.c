// SPDX-License-Identifier: GPL-2.0
/* What a stream of perf has before the kernel's records: the same as the header of a file. */
#include <string.h>

#include "compat/recordings/perf/perf_data.h"
#include "compat/recordings/recorded_probes.h"
#include "compat/recordings/tracing_data.h"

/* The attr, whose size is its second u32, and its ids. */
static int read_attr(struct recording *r, struct perf_record *record, struct error *err)
{
	const uint8_t *attr = record->body.at;
	struct cursor c = record->body;
	uint32_t size;

	cursor_u32(&c);
	size = cursor_u32(&c);
	if (!cursor_bytes(&record->body, size))
		return recording_fails(r, "an event is cut short", err);
	return perf_attr_add(r, attr, size, &record->body, err);
}

/* The record has the size of the data behind it, which are as a section of a file. */
static int read_tracing_data(struct recording *r, struct perf_record *record, struct error *err)
{
	const uint32_t size = cursor_u32(&record->body);
	struct cursor c;
	uint8_t *bytes;

	if (size > PERF_SECTION_MOST || bytes_take(&r->bytes, (size + 7) & ~7U, &bytes, err) <= 0)
		return recording_fails(r, "its formats of events are cut short", err);
	c = cursor_over(bytes, size, r->swapped);
	return tracing_data_read(r, &c, err);
}

static int read_feature(struct recording *r, struct perf_record *record, struct error *err)
{
	const uint64_t feature = cursor_u64(&record->body);

	return feature > UINT32_MAX ? 0 :
	       perf_feature_read(r, (unsigned int)feature, &record->body, err);
}

/* A part of the section with the probes. */
static int read_round(struct recording *r, struct perf_record *record, struct error *err)
{
	struct strbuf *probes = &perf_data_of(r)->probes;
	const char *part;
	size_t n;

	if (cursor_u64(&record->body) != PERF_PROBES_ROUND)
		return 0;
	n = (size_t)(record->body.end - record->body.at);
	part = (const char *)cursor_bytes(&record->body, n);
	strbuf_add(probes, part, strnlen(part, n));
	return probes->cut || probes->n > PERF_SECTION_MOST ?
	       fail(err, "the list of probes of %s is too long", r->bytes.path) : 0;
}

static const struct {
	uint32_t type;
	int (*read)(struct recording *r, struct perf_record *record, struct error *err);
} readers[] = {
	{ PERF_HEADER_ATTR, read_attr },
	{ PERF_HEADER_TRACING_DATA, read_tracing_data },
	{ PERF_HEADER_BUILD_ID, perf_code_build_id },
	{ PERF_HEADER_FEATURE, read_feature },
	{ PERF_FINISHED_ROUND, read_round },
	{ PERF_ID_INDEX, perf_losses_index },
};

static int read_one(struct recording *r, struct perf_record *record, struct error *err)
{
	for (unsigned int i = 0; i < sizeof(readers) / sizeof(*readers); i++)
		if (readers[i].type == record->type)
			return readers[i].read(r, record, err);
	return 0;
}

int perf_pipe_open(struct recording *r, struct error *err)
{
	struct perf_record record;
	int result;

	while ((result = perf_record_read(r, true, &record, err)) > 0 && record.type >= PERF_OWN &&
	       record.type != PERF_COMPRESSED && record.type != PERF_COMPRESSED2) {
		result = perf_record_read(r, false, &record, err);
		if (result <= 0)
			break;
		if (read_one(r, &record, err))
			return -1;
	}
	if (result >= 0 && perf_data_of(r)->probes.n)
		return recorded_probes_read(r, perf_data_of(r)->probes.s,
					    perf_data_of(r)->probes.n, err);
	return result < 0 ? -1 : 0;
}
