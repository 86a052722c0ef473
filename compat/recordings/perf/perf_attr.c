// SPDX-License-Identifier: GPL-2.0
/* The events of perf.data, and the ids that lead from records to them. */
#include <linux/perf_event.h>

#include "compat/base/array.h"
#include "compat/recordings/perf/perf_data.h"

#define ATTR_SIZE_VER0 64

/* The flags of an attr are bits of one u64, which the compiler of a big-endian machine reverses. */
static bool flag(const struct recording *r, uint64_t flags, unsigned int bit)
{
	const bool big = r->swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

	return flags >> (big ? 63 - bit : bit) & 1;
}
enum {
	EXCLUDE_USER = 4, EXCLUDE_KERNEL = 5, BY_FREQUENCY = 10, SAMPLE_ID_ALL = 18,
	EXCLUDE_CALLCHAIN_USER = 22,
};

static int add_ids(struct recording *r, struct cursor *ids, struct error *err)
{
	struct perf_data *p = perf_data_of(r);

	while (ids->end - ids->at >= (ptrdiff_t)sizeof(uint64_t)) {
		const uint64_t id = cursor_u64(ids);
		struct perf_id *added = hash_add(&p->ids, &id, sizeof(id));

		if (!added)
			return fail(err, "out of memory");
		added->attr = p->n_attrs;
	}
	return 0;
}

/* What perf calls a dummy takes no samples: it is there for the records of tasks. */
static int add_samples(struct recording *r, struct recorded_event *samples, uint64_t flags,
		       struct perf_attr *to, struct error *err)
{
	int number;

	if (samples->type == PERF_TYPE_TRACEPOINT ||
	    (samples->type == PERF_TYPE_SOFTWARE && samples->config == PERF_COUNT_SW_DUMMY))
		return 0;
	samples->by_frequency = flag(r, flags, BY_FREQUENCY);
	samples->no_user = flag(r, flags, EXCLUDE_USER);
	samples->no_kernel = flag(r, flags, EXCLUDE_KERNEL);
	samples->no_user_stack = flag(r, flags, EXCLUDE_CALLCHAIN_USER);
	number = recording_add_samples(r, samples, err);
	to->samples = number >= 0;
	to->event = (uint32_t)number;
	return number < 0 ? -1 : 0;
}

/*
 * Where a sample has the field: those that come before it have 8 bytes each. With 0, where they end
 * (PERF_RECORD_SAMPLE).
 */
static uint8_t place_of(uint64_t sample_type, uint64_t field)
{
	static const uint64_t order[] = {
		PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP, PERF_SAMPLE_TID, PERF_SAMPLE_TIME,
		PERF_SAMPLE_ADDR, PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU,
		PERF_SAMPLE_PERIOD,
	};
	uint8_t at = 0;

	for (unsigned int i = 0; i < sizeof(order) / sizeof(*order) && order[i] != field; i++)
		at += sample_type & order[i] ? 8 : 0;
	return at;
}

static void find_places(struct perf_attr *to)
{
	const uint64_t type = to->sample_type;

	to->id_at = type & PERF_SAMPLE_IDENTIFIER ? 0 : place_of(type, PERF_SAMPLE_ID);
	to->tid_at = place_of(type, PERF_SAMPLE_TID);
	to->time_at = place_of(type, PERF_SAMPLE_TIME);
	to->cpu_at = place_of(type, PERF_SAMPLE_CPU);
	to->head_size = place_of(type, 0);
}

int perf_attr_add(struct recording *r, const uint8_t *attr, size_t size, struct cursor *ids,
		  struct error *err)
{
	struct perf_data *p = perf_data_of(r);
	struct cursor c = cursor_over(attr, size, r->swapped);
	struct recorded_event samples = { };
	struct perf_attr to = { };
	uint64_t flags;

	if (size < ATTR_SIZE_VER0)
		return recording_fails(r, "an event is too short", err);
	to.type = samples.type = cursor_u32(&c);
	cursor_u32(&c);			/* its size */
	to.config = samples.config = cursor_u64(&c);
	samples.rate = cursor_u64(&c);
	to.sample_type = cursor_u64(&c);
	find_places(&to);
	to.read_format = cursor_u64(&c);
	flags = cursor_u64(&c);
	to.id_all = flag(r, flags, SAMPLE_ID_ALL);
	samples.no_cpu = !(to.sample_type & PERF_SAMPLE_CPU);
	samples.stacks = to.sample_type & PERF_SAMPLE_CALLCHAIN;
	if (add_samples(r, &samples, flags, &to, err))
		return -1;
	if (array_room(&p->attrs, p->n_attrs, sizeof(*p->attrs)))
		return fail(err, "out of memory");
	if (add_ids(r, ids, err))
		return -1;
	p->attrs[p->n_attrs++] = to;
	return 0;
}

void perf_attrs_end(struct recording *r)
{
	const struct perf_data *p = perf_data_of(r);

	for (unsigned int i = 0; i < p->n_attrs; i++)
		for (unsigned int j = 0; j < r->n_events; j++)
			if (r->events[j].name && p->attrs[i].type == PERF_TYPE_TRACEPOINT &&
			    p->attrs[i].config == r->events[j].id)
				r->events[j].stacks = p->attrs[i].sample_type &
						      PERF_SAMPLE_CALLCHAIN;
}

const struct perf_attr *perf_attr_find(struct perf_data *p, uint64_t id)
{
	const struct perf_id *known = hash_find(&p->ids, &id, sizeof(id));
	const struct perf_attr *attr = known ? &p->attrs[known->attr] : NULL;

	p->found[id % PERF_FOUND] = (struct perf_found){ id, attr };
	return attr;
}
