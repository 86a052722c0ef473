// SPDX-License-Identifier: GPL-2.0
/* perf.data: the header of a file. */
#include <stdlib.h>
#include <string.h>

#include "compat/recordings/perf/perf_data.h"

static bool is_perf_data(const uint8_t *head, size_t n)
{
	uint64_t magic;

	if (n < sizeof(magic))
		return false;
	memcpy(&magic, head, sizeof(magic));
	return magic == PERF_MAGIC || magic == __builtin_bswap64(PERF_MAGIC);
}

static struct perf_section read_section(struct cursor *c)
{
	struct perf_section s;

	s.offset = cursor_u64(c);
	s.size = cursor_u64(c);
	return s;
}

/* An entry of the table of events: the attr, and the section of its ids. */
static int read_attr(struct recording *r, const uint8_t *entry, size_t size, struct error *err)
{
	struct cursor c = cursor_over(entry + size, sizeof(struct perf_section), r->swapped), ids;
	const struct perf_section s = read_section(&c);
	uint8_t *bytes = bytes_at(&r->bytes, s.offset, s.size, PERF_SECTION_MOST, err);
	int result;

	if (!bytes)
		return -1;
	ids = cursor_over(bytes, s.size, r->swapped);
	result = perf_attr_add(r, entry, size, &ids, err);
	free(bytes);
	return result;
}

static int read_attrs(struct recording *r, struct perf_section s, uint64_t entry, struct error *err)
{
	uint8_t *bytes;
	int result = 0;

	if (entry <= sizeof(struct perf_section) || entry > s.size)
		return recording_fails(r, "it has no events", err);
	bytes = bytes_at(&r->bytes, s.offset, s.size, PERF_SECTION_MOST, err);
	if (!bytes)
		return -1;
	for (uint64_t at = 0; s.size - at >= entry && !result; at += entry)
		result = read_attr(r, bytes + at, entry - sizeof(struct perf_section), err);
	free(bytes);
	return result;
}

static int read_feature(struct recording *r, unsigned int feature, struct perf_section s,
			struct error *err)
{
	uint8_t *bytes = bytes_at(&r->bytes, s.offset, s.size, PERF_SECTION_MOST, err);
	struct cursor c;
	int result;

	if (!bytes)
		return -1;
	c = cursor_over(bytes, s.size, r->swapped);
	result = perf_feature_read(r, feature, &c, err);
	free(bytes);
	return result;
}

/* The places of sections are behind the records, one for each bit, in the order of bits. */
static int read_features(struct recording *r, const uint64_t *bits, uint64_t at, struct error *err)
{
	int result = 0;

	for (unsigned int i = 0; i < 64 * PERF_FEATURE_WORDS && !result; i++) {
		uint8_t *bytes;
		struct cursor c;

		if (!(bits[i / 64] >> i % 64 & 1))
			continue;
		bytes = bytes_at(&r->bytes, at, sizeof(struct perf_section), PERF_SECTION_MOST,
				 err);
		if (!bytes)
			return -1;
		c = cursor_over(bytes, sizeof(struct perf_section), r->swapped);
		if (perf_feature_known(i))
			result = read_feature(r, i, read_section(&c), err);
		free(bytes);
		at += sizeof(struct perf_section);
	}
	return result;
}

/* Where sonde's copy of the table of sections is, which is before the records; 0: there is none. */
static uint64_t early_table(struct recording *r)
{
	uint64_t word;
	uint8_t *bytes = bytes_at(&r->bytes, PERF_FILE_HEADER, sizeof(word), sizeof(word), NULL);
	struct cursor c = cursor_over(bytes, bytes ? sizeof(word) : 0, r->swapped);

	word = cursor_u64(&c);
	free(bytes);
	return word == PERF_EARLY_TABLE ? PERF_FILE_HEADER + sizeof(word) : 0;
}

/* A recorder that died has written no size of its records, and no table behind them. */
static int read_header(struct recording *r, struct cursor *c, struct error *err)
{
	struct perf_data *p = perf_data_of(r);
	const uint64_t entry = cursor_u64(c);
	const struct perf_section attrs = read_section(c), data = read_section(c);
	uint64_t bits[PERF_FEATURE_WORDS], table;

	read_section(c);		/* names of events: perf writes none */
	for (unsigned int i = 0; i < PERF_FEATURE_WORDS; i++)
		bits[i] = cursor_u64(c);
	p->end = data.offset + data.size;
	if (p->end < data.offset)
		return recording_fails(r, "its records are not in the file", err);
	table = p->end;
	if (!data.size || p->end >= r->bytes.size) {
		p->end = UINT64_MAX;
		table = early_table(r);
	}
	if (!table)
		return fail(err, "the end of %s is missing, which has the formats of its events: "
				 "perf was killed, or the file was cut", r->bytes.path);
	if (read_attrs(r, attrs, entry, err) || read_features(r, bits, table, err))
		return -1;
	bytes_seek(&r->bytes, data.offset);
	return 0;
}

static int perf_data_open(struct recording *r, struct error *err)
{
	struct perf_data *p = r->own = calloc(1, sizeof(*p));
	uint64_t magic;
	uint8_t *head;
	struct cursor c;

	if (!p)
		return fail(err, "out of memory");
	p->ids.value_size = sizeof(struct perf_id);
	if (bytes_take(&r->bytes, PERF_PIPE_HEADER, &head, err) <= 0)
		return recording_fails(r, "it ends in its header", err);
	memcpy(&magic, head, sizeof(magic));
	r->swapped = magic != PERF_MAGIC;
	c = cursor_over(head + sizeof(magic), sizeof(magic), r->swapped);
	p->piped = cursor_u64(&c) == PERF_PIPE_HEADER;
	if (p->piped && perf_pipe_open(r, err))
		return -1;
	if (!p->piped && !r->bytes.file)
		return fail(err, "%s is a file of perf, which can't be read from a pipe\n"
				 "give the file itself, or record with `perf record -o -`",
			    r->bytes.path);
	if (!p->piped) {
		if (bytes_take(&r->bytes, PERF_FILE_HEADER - PERF_PIPE_HEADER, &head, err) <= 0)
			return recording_fails(r, "it ends in its header", err);
		c = cursor_over(head, PERF_FILE_HEADER - PERF_PIPE_HEADER, r->swapped);
		if (read_header(r, &c, err))
			return -1;
	}
	if (!p->n_attrs)
		return recording_fails(r, "it has no events", err);
	perf_attrs_end(r);
	if (!r->cpus)
		r->cpus = CPUS_MOST;
	p->cpus = calloc(r->cpus, sizeof(*p->cpus));
	if (!p->cpus)
		return fail(err, "out of memory");
	return 0;
}

static void perf_data_close(struct recording *r)
{
	struct perf_data *p = perf_data_of(r);

	if (!p)
		return;
	hash_clear(&p->ids);
	perf_unpacked_free(p->unpacked);
	free(p->attrs);
	free(p->cpus);
	free(p->probes.s);
	free(p);
}

const struct recording_format perf_data_format = {
	.recorder = { "perf record -a -e", true, "perf record -k mono" },
	.is = is_perf_data,
	.open = perf_data_open,
	.next = perf_records_next,
	.close = perf_data_close,
};
