// SPDX-License-Identifier: GPL-2.0
/* The events of perf.data, and the ids that lead from records to them. */
#include <linux/perf_event.h>

#include "compat/base/array.h"
#include "compat/base/rare.h"
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

static RARE const struct perf_attr *find(const struct perf_data *p, uint64_t id)
{
	const struct perf_id *known = hash_find(&p->ids, &id, sizeof(id));

	return known ? &p->attrs[known->attr] : NULL;
}

const struct perf_attr *perf_attr_of(struct perf_data *p, uint64_t id)
{
	struct perf_found *found = &p->found[id % PERF_FOUND];

	if (found->id != id || !found->attr)
		*found = (struct perf_found){ id, find(p, id) };
	return found->attr;
}
