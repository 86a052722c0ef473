// SPDX-License-Identifier: GPL-2.0
#include "backends/stream/stream_output.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/rare.h"

struct kept {
	uint32_t output, size;
};

static void keep(struct stream_output *o, unsigned int output, const void *record, uint32_t size)
{
	struct kept head = { output, size };
	size_t need = o->n_kept + sizeof(head) + size;

	if (need > o->kept_size) {
		uint8_t *kept = realloc(o->kept, need * 2);

		if (!kept) {
			o->lost++;
			return;
		}
		o->kept = kept;
		o->kept_size = need * 2;
	}
	memcpy(o->kept + o->n_kept, &head, sizeof(head));
	memcpy(o->kept + o->n_kept + sizeof(head), record, size);
	o->n_kept = need;
}

void stream_output(struct stream_output *o, unsigned int output, const void *record,
		   uint32_t size)
{
	if (!o->record) {
		keep(o, output, record, size);
		return;
	}
	o->n_records++;
	o->record(o->arg, output, record, size);
}

RARE void stream_output_whole(struct stream_output *o, unsigned int output, const void *record,
			      uint32_t size, const struct sample *event)
{
	const size_t need = (size_t)size + event->size;

	if (need > o->whole_size) {
		uint8_t *whole = realloc(o->whole, need * 2);

		if (!whole) {
			o->lost++;
			return;
		}
		o->whole = whole;
		o->whole_size = need * 2;
	}
	memcpy(o->whole, record, size);
	memcpy(o->whole + size, event->record, event->size);
	stream_output(o, output, o->whole, (uint32_t)need);
}

void stream_output_to(struct stream_output *o, record_fn record, void *arg)
{
	struct kept head;

	o->record = record;
	o->arg = arg;
	o->n_records = 0;
	if (!record)
		return;
	for (size_t i = 0; i < o->n_kept; i += sizeof(head) + head.size) {
		memcpy(&head, o->kept + i, sizeof(head));
		stream_output(o, head.output, o->kept + i + sizeof(head), head.size);
	}
	o->n_kept = 0;
}

void stream_output_free(struct stream_output *o)
{
	free(o->kept);
	free(o->whole);
}
