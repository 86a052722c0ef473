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

const char *tracing_head_read(struct recording *r, struct cursor *c, uint32_t *page,
			      struct error *err)
{
	const uint8_t *magic = cursor_bytes(c, sizeof(MAGIC) - 1), *order, *size;
	const char *version = magic ? cursor_text(c) : NULL;

	order = cursor_bytes(c, 1);
	size = cursor_bytes(c, 1);
	if (!version || memcmp(magic, MAGIC, sizeof(MAGIC) - 1) || !size || *order > 1 ||
	    (*size != 4 && *size != 8)) {
		recording_fails(r, "its formats of events begin wrongly", err);
		return NULL;
	}
	c->swapped = *order != BIG_ENDIAN_HERE;
	r->long_size = *size;
	*page = cursor_u32(c);
	return version;
}

const char *tracing_text_read(struct cursor *c, size_t *length)
{
	const uint64_t n = cursor_u64(c);

	*length = n;
	return (const char *)cursor_bytes(c, n);
}

const char *tracing_header_read(struct cursor *c, size_t *length)
{
	cursor_text(c);
	return tracing_text_read(c, length);
}

int tracing_event_add(struct recording *r, const char *system, const char *text, size_t length,
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

int tracing_events_each(struct recording *r, struct cursor *c, const char *system,
			tracing_format_fn each, struct error *err)
{
	uint32_t n = cursor_u32(c);
	const char *text;
	size_t length;
	int result = 0;

	for (; n && !c->broken && !result; n--) {
		text = tracing_text_read(c, &length);
		if (text)
			result = each ? each(r, system, text, length, err) : 0;
	}
	return result;
}

int tracing_systems_each(struct recording *r, struct cursor *c, tracing_format_fn each,
			 struct error *err)
{
	uint32_t n = cursor_u32(c);
	const char *system;
	int result = 0;

	for (; n && !c->broken && !result; n--) {
		system = cursor_text(c);
		if (system)
			result = tracing_events_each(r, c, system, each, err);
	}
	return result;
}

void tracing_rest_pass(struct cursor *c)
{
	size_t length;

	cursor_bytes(c, cursor_u32(c));		/* kallsyms; perf has none */
	cursor_bytes(c, cursor_u32(c));		/* formats of trace_printk() */
	tracing_text_read(c, &length);		/* names of tasks */
}

int tracing_data_read(struct recording *r, struct cursor *c, struct error *err)
{
	uint32_t page;
	size_t length;

	if (!tracing_head_read(r, c, &page, err))
		return -1;
	tracing_header_read(c, &length);
	tracing_header_read(c, &length);
	if (tracing_events_each(r, c, "ftrace", tracing_event_add, err) ||
	    tracing_systems_each(r, c, tracing_event_add, err))
		return -1;
	tracing_rest_pass(c);
	return c->broken ? recording_fails(r, "its formats of events are cut short", err) : 0;
}
