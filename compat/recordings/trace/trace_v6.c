// SPDX-License-Identifier: GPL-2.0
/* trace.dat, version 6: formats, options and places of pages follow each other. */
#include <stdlib.h>
#include <string.h>

#include "compat/recordings/trace/trace_data.h"
#include "compat/recordings/tracing_data.h"

#define BEGIN (1U << 20)	/* most files have all that is before their pages in so much */
#define MARK 10			/* bytes of "options  \0" and "flyrecord\0" */
#define OPTION_BUFFER 3

static bool is_mark(const uint8_t *mark, const char *text)
{
	return mark && !memcmp(mark, text, MARK);
}

/* All but pages: the cursor is then behind names of tasks. */
static int read_head(struct recording *r, struct cursor *c, struct error *err)
{
	struct trace_data *t = trace_data_of(r);
	uint32_t page;
	const char *text;
	size_t length;

	if (!tracing_head_read(r, c, &page, err))
		return -1;
	r->swapped = c->swapped;
	text = tracing_header_read(c, &length);
	if (text && trace_layout_take(r, text, length, err))
		return -1;
	tracing_header_read(c, &length);
	t->own_formats = *c;
	tracing_events_each(r, c, "ftrace", NULL, err);
	t->formats = *c;
	tracing_systems_each(r, c, NULL, err);
	tracing_rest_pass(c);
	r->cpus = cursor_u32(c);
	return 0;
}

/* The pages of all CPUs, behind their mark. */
static int read_places(struct recording *r, struct cursor *c, struct error *err)
{
	int result = 0;

	for (uint32_t cpu = 0; cpu < r->cpus && !c->broken && !result; cpu++) {
		const uint64_t offset = cursor_u64(c), size = cursor_u64(c);

		result = c->broken ? 0 : trace_ring_add(r, cpu, offset, size, false, err);
	}
	return result;
}

/* The place of an instance's "flyrecord", and its name. */
static int read_buffer(struct recording *r, struct cursor c, struct error *err)
{
	const uint64_t offset = cursor_u64(&c), size = MARK + 16ULL * r->cpus;
	const char *name = cursor_text(&c);
	uint8_t *bytes;
	int result = 0;

	if (!name)
		return trace_fails(r, "the place of an instance can't be read", err);
	if (trace_buffer_add(r, name, "", err))
		return -1;
	bytes = bytes_at(&r->bytes, offset, size, TRACE_SECTION_MOST, err);
	if (!bytes)
		return -1;
	c = cursor_over(bytes, size, r->swapped);
	if (is_mark(cursor_bytes(&c, MARK), "flyrecord"))
		result = read_places(r, &c, err);
	free(bytes);
	return result;
}

static int read_options(struct recording *r, struct cursor *c, bool buffers, struct error *err)
{
	uint16_t id;
	int result = 0;

	while (!result && (id = cursor_u16(c))) {
		const uint32_t size = cursor_u32(c);
		const uint8_t *data = cursor_bytes(c, size);
		const struct cursor option = cursor_over(data, data ? size : 0, r->swapped);

		if (data && (id == OPTION_BUFFER) == buffers)
			result = buffers ? read_buffer(r, option, err) :
				 trace_option_read(r, id, option, err);
	}
	return result;
}

/* Instances come behind the kernel's own buffer. A "latency" file has text in place of pages. */
static int read_tail(struct recording *r, struct cursor *c, struct error *err)
{
	const uint8_t *mark = cursor_bytes(c, MARK);
	struct cursor options = *c;
	const uint32_t cpus = r->cpus;
	const bool optioned = is_mark(mark, "options  ");

	if (!cpus || cpus > CPUS_MOST)
		return trace_fails(r, "it has an impossible number of CPUs", err);
	if (optioned) {
		if (read_options(r, c, false, err))
			return -1;
		mark = cursor_bytes(c, MARK);
	}
	r->cpus = cpus;
	if (mark && !is_mark(mark, "flyrecord"))
		return 0;
	if (trace_buffer_add(r, "", "", err) || read_places(r, c, err))
		return -1;
	return optioned ? read_options(r, &options, true, err) : 0;
}

int trace_v6_open(struct recording *r, struct error *err)
{
	struct trace_data *t = trace_data_of(r);
	struct cursor c;
	uint64_t n = BEGIN / 2;

	do {
		n = 2 * n < r->bytes.size ? 2 * n : r->bytes.size;
		free(t->head);
		t->head = bytes_at(&r->bytes, 0, n, TRACE_SECTION_MOST, err);
		if (!t->head)
			return -1;
		c = cursor_over(t->head, n, false);
		if (read_head(r, &c, err))
			return -1;
	} while (c.broken && n < r->bytes.size && n < TRACE_SECTION_MOST);
	if (!c.broken && read_tail(r, &c, err))
		return -1;
	return c.broken ? trace_fails(r, "it ends before its records, as "
					"when its recorder was killed", err) : 0;
}
