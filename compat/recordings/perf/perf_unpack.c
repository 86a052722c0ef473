// SPDX-License-Identifier: GPL-2.0
/*
 * Records that `perf record -z` compressed: their bytes are one stream of zstd for the whole file.
 * It is unpacked piece by piece, as records are asked for: the file does not decide how much memory
 * that takes.
 */
#include <stdlib.h>
#include <string.h>

#include "compat/recordings/perf/perf_data.h"
#include "compat/recordings/zstd.h"

#define ROOM (128U << 10)	/* two of the longest records */

struct perf_unpacked {
	struct zstd_stream *stream;
	size_t size, at;		/* the compressed bytes; those behind `at` were not used */
	size_t from, to;		/* the unpacked bytes that were not taken */
	bool more;			/* there was no room for all that the decoder has */
	uint8_t compressed[UINT16_MAX];
	uint8_t bytes[ROOM];
};

static struct perf_unpacked *begin(struct perf_data *p)
{
	struct perf_unpacked *u = calloc(1, sizeof(*u));

	if (u)
		u->stream = zstd_stream_new();
	if (u && !u->stream) {
		free(u);
		u = NULL;
	}
	return p->unpacked = u;
}

void perf_unpacked_free(struct perf_unpacked *u)
{
	if (!u)
		return;
	zstd_stream_free(u->stream);
	free(u);
}

int perf_unpack(struct recording *r, struct perf_record *record, struct error *err)
{
	struct perf_data *p = perf_data_of(r);
	struct perf_unpacked *u = p->unpacked;
	const uint8_t *bytes;
	uint64_t size;

	if (!zstd_there())
		return fail(err, "%s is compressed by zstd (`perf record -z`), and this sonde was "
				 "built without it\nuse a sonde that was built with `make ZSTD=1`, "
				 "or record without -z", r->bytes.path);
	if (!u && !(u = begin(p)))
		return fail(err, "out of memory");
	if (u->at < u->size)
		return recording_fails(r, "a compressed record is in another", err);
	size = record->type == PERF_COMPRESSED2 ? cursor_u64(&record->body) :
	       (uint64_t)(record->body.end - record->body.at);
	bytes = size <= sizeof(u->compressed) ? cursor_bytes(&record->body, size) : NULL;
	if (!bytes)
		return recording_fails(r, "a compressed record has a wrong size", err);
	memcpy(u->compressed, bytes, size);
	u->size = size;
	u->at = 0;
	return 0;
}

/*
 * Unpacks as much as there is room. Returns 1; 0: there was nothing left; -1: it is damaged. zstd
 * takes it for an error if it is asked 16 times for nothing, as by records that are not compressed.
 */
static int fill(struct recording *r, struct perf_unpacked *u, struct error *err)
{
	ssize_t n;

	if ((u->at == u->size && !u->more) || (r->bytes.stop && *r->bytes.stop))
		return 0;
	memmove(u->bytes, u->bytes + u->from, u->to - u->from);
	u->to -= u->from;
	u->from = 0;
	n = zstd_stream_unpack(u->stream, u->compressed, u->size, &u->at, u->bytes + u->to,
			       ROOM - u->to);
	if (n < 0)
		return recording_fails(r, "a compressed record can't be unpacked", err);
	u->to += (size_t)n;
	u->more = u->to == ROOM;
	return n > 0;
}

int perf_unpacked_look(struct recording *r, size_t n, uint8_t **to, struct error *err)
{
	struct perf_unpacked *u = perf_data_of(r)->unpacked;
	int result = 1;

	while (u->to - u->from < n && result > 0)
		result = fill(r, u, err);
	*to = u->bytes + u->from;
	return result;
}

void perf_unpacked_pass(struct perf_unpacked *u, size_t n)
{
	u->from += n;
}

bool perf_unpacked_left(const struct perf_unpacked *u)
{
	return u && u->from < u->to;
}
