// SPDX-License-Identifier: GPL-2.0
#include "compat/rings/ftrace_page.h"

#include <string.h>

#include "compat/base/scan.h"

/* The types that are no length (ftrace_page.h). */
enum event_type { TYPE_PADDING = FTRACE_LENGTH_MAX + 1, TYPE_TIME_EXTEND, TYPE_TIME_STAMP };

/* A flag beside FTRACE_MISSED: the count of lost events is behind the data. */
#define MISSED_STORED (1U << 30)

/* An absolute time has only these bits; the bits above them are those of the time before. */
#define STAMP_MASK ((1ULL << 59) - 1)

int ftrace_layout_parse(struct ftrace_layout *l, const char *text, bool big_endian)
{
	uint32_t time_size = 0, data_size = 0;
	uint64_t offset, size;
	const char *line, *next;
	char type[32], name[32];

	memset(l, 0, sizeof(*l));
	l->big_endian = big_endian;
	l->swapped = false;
	for (line = text; *line; line = next) {
		next = strchr(line, '\n');
		next = next ? next + 1 : line + strlen(line);
		if (!scan_text(&line, " field: ") || !scan_until(&line, " ", type, sizeof(type)) ||
		    !scan_text(&line, " ") || !scan_until(&line, ";", name, sizeof(name)) ||
		    !scan_text(&line, "; offset:") || !scan_number(&line, 128, &offset) ||
		    !scan_text(&line, "; size:") || !scan_number(&line, 1U << 24, &size) ||
		    !scan_text(&line, ";"))
			continue;
		if (!strcmp(name, "timestamp") && offset == 0) {
			time_size = (uint32_t)size;
		} else if (!strcmp(name, "commit")) {
			l->commit = (uint32_t)offset;
			l->commit_size = (uint32_t)size;
		} else if (!strcmp(name, "data")) {
			l->data = (uint32_t)offset;
			data_size = (uint32_t)size;
		}
	}
	l->size = l->data + data_size;
	if (time_size != 8 || (l->commit_size != 4 && l->commit_size != 8) || l->commit < 8 ||
	    l->commit > 64 || l->data < l->commit + l->commit_size || l->data > 128 ||
	    !data_size || data_size > 1U << 24)
		return -1;
	return 0;
}

static uint32_t word(const uint8_t *bytes, bool swapped)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return swapped ? __builtin_bswap32(value) : value;
}

static uint64_t wide_word(const uint8_t *bytes, bool swapped)
{
	uint64_t value;

	memcpy(&value, bytes, sizeof(value));
	return swapped ? __builtin_bswap64(value) : value;
}

/* A long of the kernel. Of a length, the kernel's flags are in the lower half too. */
static uint64_t long_word(const struct ftrace_layout *l, const uint8_t *bytes)
{
	return l->commit_size == 8 ? wide_word(bytes, l->swapped) : word(bytes, l->swapped);
}

int ftrace_page_open(struct ftrace_page *p, const struct ftrace_layout *l, const void *bytes,
		     uint32_t size)
{
	const uint8_t *head = bytes;
	uint32_t length, commit;

	if (size < l->data)
		return -1;
	length = (uint32_t)long_word(l, head + l->commit);
	commit = length & ~(FTRACE_MISSED | MISSED_STORED);
	if (commit > size - l->data)
		return -1;
	p->missed = length & FTRACE_MISSED;
	p->lost = p->missed && length & MISSED_STORED &&
		  size - l->data - commit >= l->commit_size ?
		  long_word(l, head + l->data + commit) : 0;
	p->time = wide_word(head, l->swapped);
	p->bytes = head;
	p->at = l->data;
	p->end = l->data + commit;
	p->big_endian = l->big_endian;
	p->swapped = l->swapped;
	return 0;
}

/*
 * The time of a discarded event counts, because the times of later events are relative to it. But
 * the kernel gives the time 1 to a discarded event without a time, because 0 would mean that the
 * rest of the page is empty. This 1 does not count.
 */
static int skip_padding(struct ftrace_page *p, uint32_t left, uint32_t delta)
{
	uint32_t length;

	if (!delta) {
		p->at = p->end;
		return 0;
	}
	if (left < 8)
		return -1;
	length = word(p->bytes + p->at + 4, p->swapped);
	if (length < 4 || length % 4 || length > left - 4)
		return -1;
	if (delta > 1)
		p->time += delta;
	p->at += 4 + length;
	return 0;
}

static int take_data(struct ftrace_page *p, uint32_t left, uint32_t words,
		     struct ftrace_record *record)
{
	uint32_t head = 4, size = words * 4;

	if (!words) {
		if (left < 8)
			return -1;
		size = word(p->bytes + p->at + 4, p->swapped);	/* with the 4 bytes of this word */
		if (size < 4 || size % 4)
			return -1;
		size -= 4;
		head = 8;
	}
	if (size > left - head)
		return -1;
	record->time = p->time;
	record->data = p->bytes + p->at + head;
	record->size = size;
	p->at += head + size;
	return 1;
}

int ftrace_page_next_any(struct ftrace_page *p, struct ftrace_record *record)
{
	while (p->at < p->end) {
		uint32_t left = p->end - p->at, head, type, delta;
		uint64_t wide;

		if (left < 4)
			return -1;
		head = word(p->bytes + p->at, p->swapped);
		type = p->big_endian ? head >> FTRACE_TIME_BITS : head & FTRACE_TYPE_MASK;
		delta = p->big_endian ? head & FTRACE_TIME_MASK : head >> FTRACE_TYPE_BITS;
		if (type <= FTRACE_LENGTH_MAX) {
			p->time += delta;
			return take_data(p, left, type, record);
		}
		if (type == TYPE_PADDING) {
			if (skip_padding(p, left, delta))
				return -1;
			continue;
		}
		if (left < 8)
			return -1;
		wide = (uint64_t)word(p->bytes + p->at + 4, p->swapped) << FTRACE_TIME_BITS | delta;
		p->time = type == TYPE_TIME_EXTEND ? p->time + wide
						   : (p->time & ~STAMP_MASK) | (wide & STAMP_MASK);
		p->at += 8;
	}
	return 0;
}
