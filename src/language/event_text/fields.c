// SPDX-License-Identifier: GPL-2.0
/* Fields of a record as NAME=VALUE, by the format alone. */
#include "src/language/event_text/event_text.h"

#include <stdio.h>
#include <string.h>

#include "compat/base/text.h"

struct out {
	char *to;
	size_t room, n;			/* n: what was to be added */
};

static void add(struct out *o, const void *bytes, size_t n)
{
	if (o->n < o->room)
		memcpy(o->to + o->n, bytes, n < o->room - o->n ? n : o->room - o->n);
	o->n += n;
}

static void add_text(struct out *o, const char *text)
{
	add(o, text, strlen(text));
}

static uint64_t read_number(const uint8_t *at, size_t size, bool big_endian)
{
	uint64_t value = 0;

	for (size_t i = 0; i < size; i++)
		value = value << 8 | at[big_endian ? i : size - 1 - i];
	return value;
}

static void add_number(struct out *o, const struct field *f, uint64_t value)
{
	char text[32];
	const unsigned int spare = 64 - 8 * f->size;

	if (strchr(f->type, '*'))
		snprintf(text, sizeof(text), "0x%llx", (unsigned long long)value);
	else if (f->is_signed)
		snprintf(text, sizeof(text), "%lld", (long long)(value << spare) >> spare);
	else
		snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	add_text(o, text);
}

/* Text up to its NUL; other arrays byte by byte. */
static void add_array(struct out *o, const struct field *f, const uint8_t *at, size_t n)
{
	char text[4];

	if (strstr(f->type, "char") && !strstr(f->type, "unsigned")) {
		add(o, at, strnlen((const char *)at, n));
		return;
	}
	for (size_t i = 0; i < n; i++) {
		text_cut(text, sizeof(text), "%s%02x", i ? " " : "", at[i]);
		add_text(o, text);
	}
}

static void add_field(struct out *o, const struct field *f, bool big_endian, const uint8_t *record,
		      size_t size)
{
	const bool relative = strstr(f->type, "__rel_loc") != NULL;
	size_t from = f->offset, n = f->size;

	if (from > size || n > size - from)
		return add_text(o, "?");
	if (f->is_data_loc || relative) {
		const uint64_t value = read_number(record + from, n, big_endian);

		from = (value & 0xffff) + (relative ? from + n : 0);
		n = value >> 16 & 0xffff;
		if (from > size || n > size - from)
			return add_text(o, "?");
		return add_array(o, f, record + from, n);
	}
	if (f->is_array || n > 8 || !n)
		return add_array(o, f, record + from, n);
	add_number(o, f, read_number(record + from, n, big_endian));
}

size_t event_fields(const struct format *f, bool big_endian, const uint8_t *record, size_t size,
		    char *to, size_t room)
{
	struct out o = { .to = to, .room = room };

	for (unsigned int i = 0; i < f->n_fields; i++) {
		if (!strncmp(f->fields[i].name, "common_", 7))
			continue;
		add_text(&o, o.n ? " " : "");
		add_text(&o, f->fields[i].name);
		add_text(&o, "=");
		add_field(&o, &f->fields[i], big_endian, record, size);
	}
	return o.n;
}
