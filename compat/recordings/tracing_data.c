// SPDX-License-Identifier: GPL-2.0
#include "compat/recordings/tracing_data.h"

#include <stdio.h>
#include <string.h>

#include "compat/base/text.h"
#include "compat/kernel/format.h"

#define MAGIC "\x17\x08\x44tracing"

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BIG_ENDIAN_HERE 1
#else
#define BIG_ENDIAN_HERE 0
#endif

static int read_head(struct recording *r, struct cursor *c, struct error *err)
{
	const uint8_t *magic = cursor_bytes(c, sizeof(MAGIC) - 1), *order, *size;

	if (!magic || memcmp(magic, MAGIC, sizeof(MAGIC) - 1) || !cursor_text(c))
		return recording_fails(r, "its formats of events begin wrongly", err);
	order = cursor_bytes(c, 1);
	size = cursor_bytes(c, 1);
	if (!size || *order > 1 || (*size != 4 && *size != 8))
		return recording_fails(r, "its formats of events begin wrongly", err);
	c->swapped = *order != BIG_ENDIAN_HERE;
	r->long_size = *size;
	cursor_u32(c);			/* the size of a page */
	return 0;
}

/* A text behind its length of 8 bytes. */
static const char *read_text(struct cursor *c, size_t *length)
{
	const uint64_t n = cursor_u64(c);

	*length = n;
	return (const char *)cursor_bytes(c, n);
}

/* header_page and header_event: the name, then the text. */
static void pass_header(struct cursor *c)
{
	size_t length;

	cursor_text(c);
	read_text(c, &length);
}

static int add_event(struct recording *r, const char *system, const char *text, size_t length,
		     struct error *err)
{
	struct format *format = format_parse(system, text, length);
	char path[256];
	int result;

	if (!format || format->id < 0 || format->id > UINT16_MAX ||
	    !text_all(path, sizeof(path), "tracefs:events/%s/%s/format", system, format->event))
		result = recording_fails(r, "a format of an event can't be read", err);
	else if (recording_fact(r, path, text, length))
		result = fail(err, "out of memory");
	else
		result = recording_add_event(r, format, err);
	format_free(format);
	return result;
}

/* A count of formats, and these. */
static int read_events(struct recording *r, struct cursor *c, const char *system, struct error *err)
{
	uint32_t n = cursor_u32(c);
	const char *text;
	size_t length;
	int result = 0;

	for (; n && !c->broken && !result; n--) {
		text = read_text(c, &length);
		if (text)
			result = add_event(r, system, text, length, err);
	}
	return result;
}

static int read_systems(struct recording *r, struct cursor *c, struct error *err)
{
	uint32_t n = cursor_u32(c);
	const char *system;
	int result = 0;

	for (; n && !c->broken && !result; n--) {
		system = cursor_text(c);
		if (system)
			result = read_events(r, c, system, err);
	}
	return result;
}

int tracing_data_read(struct recording *r, struct cursor *c, struct error *err)
{
	size_t length;

	if (read_head(r, c, err))
		return -1;
	pass_header(c);
	pass_header(c);
	if (read_events(r, c, "ftrace", err) || read_systems(r, c, err))
		return -1;
	cursor_bytes(c, cursor_u32(c));		/* kallsyms; perf has none */
	cursor_bytes(c, cursor_u32(c));		/* formats of trace_printk() */
	read_text(c, &length);			/* names of tasks */
	return c->broken ? recording_fails(r, "its formats of events are cut short", err) : 0;
}
