// SPDX-License-Identifier: GPL-2.0
/* The fields of samples, and of what the kernel's other records have of them at their end. */
#include <linux/perf_event.h>

#include "compat/recordings/perf/perf_data.h"

/* A sample has its id at its beginning, or behind fields that all events of the file have. */
static const struct perf_attr *attr_of(struct perf_data *p, const struct cursor *body)
{
	const struct perf_attr *first = p->attrs;

	if (p->n_attrs == 1)
		return first;
	if (!(first->sample_type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID)) ||
	    body->end - body->at < first->id_at + 8)
		return NULL;
	return perf_attr_of(p, ordered_u64(body->at + first->id_at, body->swapped));
}

/* One counter: its value, or those of a group, each with what read_format asks for. */
static void pass_counters(struct cursor *c, uint64_t read_format)
{
	const uint64_t times = read_format & (PERF_FORMAT_TOTAL_TIME_ENABLED |
					      PERF_FORMAT_TOTAL_TIME_RUNNING);
	const uint64_t each = read_format & (PERF_FORMAT_ID | PERF_FORMAT_LOST);
	const unsigned int words = 1 + (unsigned int)__builtin_popcountll(each);
	const uint64_t n = read_format & PERF_FORMAT_GROUP ? cursor_u64(c) : 1;

	cursor_bytes(c, 8 * (uint64_t)__builtin_popcountll(times));
	if (n > UINT16_MAX)
		c->broken = true;
	else
		cursor_bytes(c, 8 * n * words);
}

static void turn_u64(uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	value = __builtin_bswap64(value);
	memcpy(at, &value, sizeof(value));
}

/* The number of addresses, and these; all in this machine's order then. */
static uint8_t *read_stack(struct cursor *c)
{
	uint8_t *at = (uint8_t *)c->at;	/* in the buffer of the recording's bytes */
	const uint64_t n = cursor_u64(c);

	if (c->broken || n > UINT16_MAX || !cursor_bytes(c, 8 * n)) {
		c->broken = true;
		return NULL;
	}
	for (uint64_t i = 0; c->swapped && i <= n; i++)
		turn_u64(at + 8 * i);
	return at;
}

static void read_raw(struct cursor *c, struct perf_sample *to)
{
	uint8_t *at = (uint8_t *)c->at;

	to->size = cursor_u32(c);
	to->record = (uint8_t *)cursor_bytes(c, to->size);
	if (!c->broken && c->swapped)
		memcpy(at, &to->size, sizeof(to->size));
}

/* The first fields have their places. The others are in this order; none behind them is read. */
bool perf_sample_read(const struct recording *r, const struct cursor *body, struct perf_sample *to)
{
	const struct perf_attr *attr = attr_of(perf_data_of(r), body);
	const uint8_t *head = body->at;
	uint64_t type;
	struct cursor c;

	*to = (struct perf_sample){ .attr = attr };
	if (!attr || body->end - head < attr->head_size)
		return false;
	type = attr->sample_type;
	if (type & PERF_SAMPLE_TID) {
		to->pid = ordered_u32(head + attr->tid_at, body->swapped);
		to->tid = ordered_u32(head + attr->tid_at + 4, body->swapped);
	}
	if (type & PERF_SAMPLE_TIME)
		to->time = ordered_u64(head + attr->time_at, body->swapped);
	if (type & PERF_SAMPLE_CPU)
		to->cpu = ordered_u32(head + attr->cpu_at, body->swapped);
	head += attr->head_size;
	c = cursor_over(head, (size_t)(body->end - head), body->swapped);
	if (type & PERF_SAMPLE_READ)
		pass_counters(&c, attr->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN)
		to->stack = read_stack(&c);
	if (type & PERF_SAMPLE_RAW)
		read_raw(&c, to);
	return !c.broken;
}

/* Samples of a counter may lack the CPU, which tracepoints have. An identifier is at the end. */
static const struct perf_attr *attr_of_end(struct perf_data *p, const struct perf_record *record)
{
	const struct perf_attr *attr = NULL;
	struct cursor c = record->body;

	if (p->attrs->sample_type & PERF_SAMPLE_IDENTIFIER && c.end - c.at >= 8) {
		c.at = c.end - 8;
		attr = perf_attr_of(p, cursor_u64(&c));
	}
	return attr ? attr : p->attrs;
}

bool perf_sample_end(const struct recording *r, const struct perf_record *record,
		     struct perf_sample *to)
{
	const uint64_t fields = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
				PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;
	const struct perf_attr *attr = attr_of_end(perf_data_of(r), record);
	const uint64_t type = attr->sample_type & fields;
	const uint64_t size = 8 * (uint64_t)__builtin_popcountll(type);
	struct cursor c = record->body;

	*to = (struct perf_sample){ .attr = attr };
	if (!attr->id_all)
		return true;
	if (size > (size_t)(c.end - c.at))
		return false;
	c.at = c.end - size;
	if (type & PERF_SAMPLE_TID) {
		to->pid = cursor_u32(&c);
		to->tid = cursor_u32(&c);
	}
	if (type & PERF_SAMPLE_TIME)
		to->time = cursor_u64(&c);
	if (type & PERF_SAMPLE_ID)
		to->id = cursor_u64(&c);
	if (type & PERF_SAMPLE_STREAM_ID)
		cursor_u64(&c);
	if (type & PERF_SAMPLE_CPU) {
		to->cpu = cursor_u32(&c);
		cursor_u32(&c);
	}
	if (type & PERF_SAMPLE_IDENTIFIER)
		to->id = cursor_u64(&c);
	return !c.broken;
}
