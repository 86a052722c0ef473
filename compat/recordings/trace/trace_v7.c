// SPDX-License-Identifier: GPL-2.0
/* trace.dat, version 7: sections, whose places are options, and lists of options. */
#include <stdlib.h>
#include <string.h>

#include "compat/recordings/trace/trace_data.h"
#include "compat/recordings/tracing_data.h"

#define SECTION_HEAD 16		/* u16 id, u16 flags, u32 the number of its name, u64 size */
#define COMPRESSED 1		/* of its flags */
#define LISTS 1024		/* of options: one for each buffer, and a few more */

enum { DONE = 0, BUFFER = 3, HEADER_INFO = 16, OWN_FORMATS = 17, FORMATS = 18 };

/* Reads the head of a section of this id. */
static int read_section_head(struct recording *r, uint64_t offset, uint16_t id, bool *packed,
			     uint64_t *size, struct error *err)
{
	uint8_t *head = bytes_at(&r->bytes, offset, SECTION_HEAD, SECTION_HEAD, err);
	struct cursor c;
	uint16_t got;

	if (!head)
		return -1;
	c = cursor_over(head, SECTION_HEAD, r->swapped);
	got = cursor_u16(&c);
	*packed = cursor_u16(&c) & COMPRESSED;
	cursor_u32(&c);
	*size = cursor_u64(&c);
	free(head);
	return got == id ? 0 : trace_fails(r, "a section is not where it should be", err);
}

/* A section that is compressed: u32 its size so, u32 without, and the bytes. */
static int unpack_section(struct recording *r, uint8_t **bytes, struct cursor *c,
			  struct error *err)
{
	const uint32_t size = cursor_u32(c), n = cursor_u32(c);
	const uint8_t *from = cursor_bytes(c, size);
	uint8_t *to;

	if (!from || n > TRACE_SECTION_MOST)
		return trace_fails(r, "a compressed part has a wrong size", err);
	to = malloc(n + 1);
	if (!to)
		return fail(err, "out of memory");
	if (trace_unpack(r, from, size, to, n, err)) {
		free(to);
		return -1;
	}
	free(*bytes);
	*bytes = to;
	*c = cursor_over(to, n, r->swapped);
	return 0;
}

/* Reads a section of this id, behind its head. The caller frees *bytes. */
static int read_section(struct recording *r, uint64_t offset, uint16_t id, uint8_t **bytes,
			struct cursor *c, struct error *err)
{
	uint64_t size;
	bool packed;

	if (read_section_head(r, offset, id, &packed, &size, err))
		return -1;
	*bytes = bytes_at(&r->bytes, offset + SECTION_HEAD, size, TRACE_SECTION_MOST, err);
	if (!*bytes)
		return -1;
	*c = cursor_over(*bytes, size, r->swapped);
	return packed ? unpack_section(r, bytes, c, err) : 0;
}

static int read_layout(struct recording *r, uint64_t offset, struct error *err)
{
	uint8_t *bytes = NULL;
	struct cursor c;
	const char *text;
	size_t length;
	int result = read_section(r, offset, HEADER_INFO, &bytes, &c, err);

	if (!result) {
		text = tracing_header_read(&c, &length);
		result = text ? trace_layout_take(r, text, length, err) :
			 trace_fails(r, "the layout of its pages is cut short", err);
	}
	free(bytes);
	return result;
}

/* Sections of which there is one are read once: a file that has more of them is damaged. */
static int read_formats(struct recording *r, uint16_t id, uint64_t offset, struct error *err)
{
	struct trace_data *t = trace_data_of(r);
	uint8_t **bytes = id == OWN_FORMATS ? &t->ftrace : &t->systems;

	if (*bytes)
		return trace_fails(r, "it has formats of events twice", err);
	return read_section(r, offset, id, bytes,
			    id == OWN_FORMATS ? &t->own_formats : &t->formats, err);
}

/* The place of the section, the names of the instance and its clock, and the pages of each CPU. */
static int read_buffer(struct recording *r, struct cursor c, struct error *err)
{
	const char *name, *clock;
	uint64_t section, passed;
	bool packed;
	uint32_t n;
	int result;

	if (!trace_data_of(r)->layout.size)
		return trace_fails(r, "it has no layout of its pages", err);
	section = cursor_u64(&c);
	if (read_section_head(r, section, BUFFER, &packed, &passed, err))
		return -1;
	name = cursor_text(&c);
	clock = cursor_text(&c);
	cursor_u32(&c);			/* the size of a page of memory */
	n = cursor_u32(&c);
	if (!name || !clock || n > CPUS_MOST)
		return trace_fails(r, "the place of its records can't be read", err);
	result = trace_buffer_add(r, name, clock, err);
	for (; n && !c.broken && !result; n--) {
		const uint32_t cpu = cursor_u32(&c);
		const uint64_t offset = cursor_u64(&c), size = cursor_u64(&c);

		if (!c.broken)
			result = trace_ring_add(r, cpu, offset, size, packed, err);
	}
	return c.broken ? trace_fails(r, "the place of its records can't be read", err) :
	       result;
}

static int read_option(struct recording *r, uint16_t id, struct cursor c, struct error *err)
{
	if (id == BUFFER)
		return read_buffer(r, c, err);
	if (id == HEADER_INFO)
		return read_layout(r, cursor_u64(&c), err);
	if (id == OWN_FORMATS || id == FORMATS)
		return read_formats(r, id, cursor_u64(&c), err);
	return trace_option_read(r, id, c, err);
}

/* A list of options ends with the place of the next list; 0: it is the last. */
static int read_list(struct recording *r, uint64_t *offset, struct error *err)
{
	uint8_t *bytes = NULL;
	struct cursor c;
	uint16_t id = 1;
	int result = read_section(r, *offset, DONE, &bytes, &c, err);

	while (!result && id) {
		uint32_t size;
		const uint8_t *data;
		struct cursor option;

		id = cursor_u16(&c);
		size = cursor_u32(&c);
		data = cursor_bytes(&c, size);
		option = cursor_over(data, data ? size : 0, r->swapped);
		if (!data)
			result = trace_fails(r, "its options are cut short", err);
		else if (id)
			result = read_option(r, id, option, err);
		else
			*offset = cursor_u64(&option);
	}
	free(bytes);
	return result;
}

/* The compression of the file is in its head. Each section tells whether it is compressed. */
static int read_head(struct recording *r, uint64_t *offset, struct error *err)
{
	struct cursor c;
	const char *packer;
	uint8_t *head;
	uint32_t page;
	const size_t n = r->bytes.size < 512 ? r->bytes.size : 512;

	head = bytes_at(&r->bytes, 0, n, n, err);
	if (!head)
		return -1;
	c = cursor_over(head, n, false);
	if (!tracing_head_read(r, &c, &page, err)) {
		free(head);
		return -1;
	}
	r->swapped = c.swapped;
	packer = cursor_text(&c);
	trace_data_of(r)->packing = packer ? trace_packing_of(packer) : NULL;
	cursor_text(&c);		/* its version */
	*offset = cursor_u64(&c);
	free(head);
	return c.broken ? trace_fails(r, "it ends in its header", err) : 0;
}

int trace_v7_open(struct recording *r, struct error *err)
{
	const struct trace_data *t = trace_data_of(r);
	uint64_t offset;
	int result = read_head(r, &offset, err);

	for (unsigned int i = 0; !result && offset; i++) {
		if (offset >= r->bytes.size)
			return fail(err, "the end of %s is missing, which tells where its records "
					 "are: trace-cmd was killed, or the file was cut",
				    r->bytes.path);
		result = i < LISTS ? read_list(r, &offset, err) :
			 trace_fails(r, "its options do not end", err);
	}
	if (!result && (!t->layout.size || !t->systems || !t->ftrace))
		return fail(err, "%s has no formats of events: trace-cmd was killed, or the file "
				 "was cut", r->bytes.path);
	return result;
}
