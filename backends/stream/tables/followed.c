// SPDX-License-Identifier: GPL-2.0
#include "backends/stream/tables/followed.h"
#include "compat/kernel/doubt.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"

static int add_input(struct layout *l, const struct field *f)
{
	struct input *in = layout_add(l);

	if (!in)
		return -1;
	text_all(in->name, sizeof(in->name), "%.*s", INPUT_NAME - 1, f->name);
	in->kind = f->is_data_loc ? INPUT_STRING : f->is_array ? INPUT_BYTES : INPUT_NUMBER;
	in->place = f->is_data_loc ? PLACE_DATA_LOC : PLACE_RECORD;
	in->offset = f->offset;
	in->size = f->size;
	in->is_signed = f->is_signed;
	return 0;
}

static int make_event(struct kernel *k, const struct followed *wanted, struct event *e,
		      const char *what, struct error *err)
{
	const struct format *format = kernel_format(k, wanted->system, wanted->name);

	if (!format && !kernel_has(k, FEATURE_TRACEFS))
		return fail(err, "%s can't be followed: tracefs is not mounted or not readable",
			    what);
	if (!format)
		return kernel_lacks(k, err, "%s can't be followed: this kernel has no tracepoint "
				    "%s:%s", what, wanted->system, wanted->name);
	e->kind = EVENT_TRACEPOINT;
	e->id = format->id;
	e->system = wanted->system;
	e->name = wanted->name;
	for (unsigned int i = 0; i < FOLLOWED_FIELDS && wanted->fields[i]; i++) {
		const struct field *f = format_field(format, wanted->fields[i]);

		if (!f)
			return fail(err, "%s can't be followed: %s:%s has no field %s here", what,
				    wanted->system, wanted->name, wanted->fields[i]);
		if (add_input(e->layout, f))
			return fail(err, "out of memory");
	}
	return 0;
}

int followed_make(struct kernel *k, const struct followed *wanted, unsigned int n,
		  struct event *events, struct layout *layouts, const char *what, struct error *err)
{
	for (unsigned int i = 0; i < n; i++) {
		events[i].layout = &layouts[i];
		if (make_event(k, &wanted[i], &events[i], what, err))
			return -1;
	}
	return 0;
}

void followed_free(struct layout *layouts, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		free(layouts[i].inputs);
}

uint64_t followed_number(const struct sample *s, const struct input *in)
{
	const uint8_t *p = (const uint8_t *)s->record + in->offset;
	uint32_t u32;
	uint64_t u64;

	if ((uint32_t)in->offset + in->size > s->size)
		return 0;
	switch (in->size) {
	case 4:
		memcpy(&u32, p, 4);
		return u32;
	case 8:
		memcpy(&u64, p, 8);
		return u64;
	default:
		return 0;
	}
}

const char *followed_text(const struct sample *s, const struct input *in, uint32_t *length)
{
	uint32_t offset = in->offset, size = in->size, loc;
	const char *text;

	if (offset + size > s->size)
		return NULL;
	if (in->place == PLACE_DATA_LOC) {
		memcpy(&loc, (const uint8_t *)s->record + offset, sizeof(loc));
		offset = loc & 0xffff;
		size = loc >> 16;
		if (offset + size > s->size)
			return NULL;
	}
	text = (const char *)s->record + offset;
	*length = (uint32_t)strnlen(text, size);
	return text;
}
