// SPDX-License-Identifier: GPL-2.0
/* The buffers of a trace.dat, and where the pages of their rings are. */
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/text.h"
#include "compat/recordings/trace/trace_data.h"

int trace_buffer_add(struct recording *r, const char *name, const char *clock, struct error *err)
{
	struct trace_data *t = trace_data_of(r);
	struct trace_buffer *b;

	if (t->n_buffers == TRACE_BUFFERS)
		return trace_fails(r, "it has too many buffers", err);
	if (array_room(&t->buffers, t->n_buffers, sizeof(*t->buffers)))
		return fail(err, "out of memory");
	b = &t->buffers[t->n_buffers];
	memset(b, 0, sizeof(*b));
	b->name = strdup(name);
	if (!b->name)
		return fail(err, "out of memory");
	t->n_buffers++;
	text_all(b->clock, sizeof(b->clock), "%s", clock);
	return 0;
}

/* Compressed pages are behind their number of chunks, a u32. */
static bool may_be(const struct trace_data *t, const struct trace_ring *ring, uint64_t size)
{
	const uint64_t each = ring->packed ? TRACE_CHUNK * t->layout.size : t->layout.size;

	return ring->cpu < CPUS_MOST && ring->end >= size && ring->end <= INT64_MAX &&
	       (t->n_rings + 1) * each <= TRACE_MEMORY &&
	       (ring->packed ? size > 4 : !(size % t->layout.size));
}

int trace_ring_add(struct recording *r, uint32_t cpu, uint64_t offset, uint64_t size, bool packed,
		   struct error *err)
{
	struct trace_data *t = trace_data_of(r);
	struct trace_ring ring = {
		.cpu = cpu, .buffer = t->n_buffers - 1, .at = offset + (packed ? 4 : 0),
		.end = offset + size, .packed = packed,
	};

	if (!size)
		return 0;
	if (!may_be(t, &ring, size))
		return trace_fails(r, "its pages are not where it tells", err);
	ring.bytes = malloc(t->layout.size);
	if (packed)
		ring.chunk = malloc((size_t)TRACE_CHUNK * t->layout.size);
	if (!ring.bytes || (packed && !ring.chunk) ||
	    array_room(&t->rings, t->n_rings, sizeof(*t->rings))) {
		free(ring.bytes);
		free(ring.chunk);
		return fail(err, "out of memory");
	}
	t->rings[t->n_rings++] = ring;
	t->buffers[ring.buffer].rings++;
	return 0;
}

void trace_ring_seek(struct trace_ring *ring, uint64_t offset)
{
	ring->at = offset;
	ring->chunk_at = ring->chunk_end = 0;
}

/* Reads n bytes of the ring. Returns 1; 0: the file is cut; -1 and sets err on failure. */
static int read_bytes(struct recording *r, struct trace_ring *ring, uint8_t *to, size_t n,
		      struct error *err)
{
	const ssize_t got = bytes_read(&r->bytes, ring->at, to, n, err);

	if (got < 0)
		return -1;
	ring->at += (size_t)got;
	if ((size_t)got < n)
		trace_data_of(r)->cut = true;
	return (size_t)got == n;
}

/* A chunk: u32 its size, u32 that of its pages, and the bytes. Returns as read_bytes(). */
static int read_chunk(struct recording *r, struct trace_ring *ring, struct error *err)
{
	const uint32_t page = trace_data_of(r)->layout.size;
	uint8_t head[8], *bytes;
	struct cursor c = cursor_over(head, sizeof(head), r->swapped);
	int result = read_bytes(r, ring, head, sizeof(head), err);
	uint32_t size, n;

	if (result <= 0)
		return result;
	size = cursor_u32(&c);
	n = cursor_u32(&c);
	if (!n || n > TRACE_CHUNK * page || n % page || size > ring->end - ring->at || size > 2 * n)
		return trace_fails(r, "a compressed part has a wrong size", err);
	bytes = malloc(size);
	if (!bytes)
		return fail(err, "out of memory");
	result = read_bytes(r, ring, bytes, size, err);
	if (result > 0 && trace_unpack(r, bytes, size, ring->chunk, n, err))
		result = -1;
	ring->chunk_at = 0;
	ring->chunk_end = result > 0 ? n : 0;
	free(bytes);
	return result;
}

static int next_bytes(struct recording *r, struct trace_ring *ring, struct error *err)
{
	const uint32_t page = trace_data_of(r)->layout.size;
	int result = 1;

	if (!ring->packed)
		return read_bytes(r, ring, ring->bytes, page, err);
	if (ring->chunk_at == ring->chunk_end)
		result = read_chunk(r, ring, err);
	if (result <= 0)
		return result;
	memcpy(ring->bytes, ring->chunk + ring->chunk_at, page);
	ring->chunk_at += page;
	return 1;
}

int trace_page_read(struct recording *r, struct trace_ring *ring, struct error *err)
{
	struct trace_data *t = trace_data_of(r);
	int result;

	if ((ring->at >= ring->end && ring->chunk_at == ring->chunk_end) ||
	    (r->bytes.stop && *r->bytes.stop))
		return 0;
	result = next_bytes(r, ring, err);
	if (result <= 0)
		return result;
	if (ftrace_page_open(&ring->page, &t->layout, ring->bytes, t->layout.size))
		return fail(err, "%s is damaged: a page of CPU %u can't be read before byte %llu",
			    r->bytes.path, ring->cpu, (unsigned long long)ring->at);
	ring->begin = trace_ns(t, ring->page.time);
	return 1;
}
