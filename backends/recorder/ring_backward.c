// SPDX-License-Identifier: GPL-2.0
#include "backends/recorder/ring_backward.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "compat/base/perf_event.h"

/* What writers may be at work on; of small rings a quarter. */
#define TORN 8192

static uint64_t torn_of(uint64_t size)
{
	return size / 4 < TORN ? size / 4 : TORN;
}

int backward_serves(struct error *err)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK, .disabled = 1,
	};
	int fd = perf_event_open(&attr, 0, ANY_CPU);

	if (fd < 0)
		return 0;		/* whoever opens the events knows the reason */
	close(fd);
	attr.write_backward = 1;
	fd = perf_event_open(&attr, 0, ANY_CPU);
	if (fd < 0 && errno == EINVAL)
		return fail(err, "--last: rings of this kernel do not overwrite their oldest "
				 "records (Linux 4.7 does)\n"
				 "record without --last, a file after the other: sonde record "
				 "--duration 60 -o FILE ...");
	if (fd >= 0)
		close(fd);
	return 0;
}

struct backward_times backward_times(const struct perf_event_attr *attr)
{
	const uint64_t type = attr->sample_type;
	const unsigned int before = !!(type & PERF_SAMPLE_IDENTIFIER) + !!(type & PERF_SAMPLE_IP) +
				    !!(type & PERF_SAMPLE_TID);
	const unsigned int from = 1 + !!(type & PERF_SAMPLE_ID) + !!(type & PERF_SAMPLE_STREAM_ID) +
				  !!(type & PERF_SAMPLE_CPU) + !!(type & PERF_SAMPLE_IDENTIFIER);

	return (struct backward_times){
		.of_sample = sizeof(struct perf_event_header) + before * sizeof(uint64_t),
		.of_other = from * sizeof(uint64_t),
	};
}

int backward_room(uint64_t size, struct backward *to)
{
	*to = (struct backward){ .bytes = malloc(size) };
	if (to->bytes)
		memset(to->bytes, 0, size);
	return to->bytes ? 0 : -1;
}

/* The head began at 0 and went down: what it has passed was written. */
void backward_copy(const uint8_t *data, uint64_t size, uint64_t head, struct backward *to)
{
	const uint64_t written = 0 - head, torn = torn_of(size);
	const uint64_t begin = head & (size - 1), to_end = size - begin;

	to->overwritten = written > size - torn;
	to->size = to->overwritten ? size - torn : written;
	if (to->size <= to_end) {
		memcpy(to->bytes, data + begin, to->size);
	} else {
		memcpy(to->bytes, data + begin, to_end);
		memcpy(to->bytes + to_end, data, to->size - to_end);
	}
}

void backward_cut(struct backward *b, uint64_t size, uint64_t before, uint64_t after)
{
	const uint64_t more = before - after, rest = size - torn_of(size);
	const uint64_t left = more < rest ? rest - more : 0;

	if (b->size <= left)
		return;
	b->size = left;
	b->overwritten = true;
}

/* Returns false if it is not whole, or none of the kernel's. */
static bool read_record(const struct backward *b, size_t at, const struct backward_times *times,
			struct backward_record *to)
{
	const uint32_t size = b->size - at < sizeof(struct perf_event_header) ? 0 :
			      perf_record_bytes(b->bytes + at, b->size - at);
	struct perf_event_header header;
	size_t time;

	if (!size)
		return false;
	memcpy(&header, b->bytes + at, sizeof(header));
	*to = (struct backward_record){ .at = at, .size = (uint16_t)size };
	to->event = header.type == PERF_RECORD_SAMPLE;
	if (to->event ? size < times->of_sample + sizeof(uint64_t) :
	    size < sizeof(header) + times->of_other)
		return false;
	time = to->event ? times->of_sample : size - times->of_other;
	memcpy(&to->time, b->bytes + at + time, sizeof(to->time));
	return true;
}

static void turn(struct backward *b)
{
	for (size_t i = 0, j = b->n; i + 1 < j; i++) {
		const struct backward_record first = b->list[i];

		b->list[i] = b->list[--j];
		b->list[j] = first;
	}
}

/* A note of losses is written together with the record behind it, and before it in memory, too. */
int backward_parse(struct backward *b, const struct backward_times *times)
{
	struct backward_record record, held;
	bool holds = false;

	b->n = 0;
	for (size_t at = 0; read_record(b, at, times, &record); at += record.size) {
		struct perf_event_header header;

		memcpy(&header, b->bytes + at, sizeof(header));
		if (header.type == PERF_RECORD_LOST && !holds) {
			held = record;
			holds = true;
			continue;
		}
		if (array_room(&b->list, b->n, sizeof(*b->list)))
			return -1;
		b->list[b->n++] = record;
		if (!holds)
			continue;
		if (array_room(&b->list, b->n, sizeof(*b->list)))
			return -1;
		b->list[b->n++] = held;
		holds = false;
	}
	turn(b);
	return 0;
}

void backward_free(struct backward *b)
{
	free(b->bytes);
	free(b->list);
	*b = (struct backward){ };
}
