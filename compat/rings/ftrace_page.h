/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FTRACE_PAGE_H
#define SONDE_FTRACE_PAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/*
 * The binary pages of ftrace's ring buffer, as read(2) of trace_pipe_raw returns them, and as
 * trace-cmd writes them to files, also of machines with the other byte order: a header
 * (time of the first event, length of the data, marks of lost events), then events, each with a
 * compressed head of 4 bytes. Pages may have any content: the reader stays inside, and ends.
 */

/* The layout of a page, from events/header_page. */
struct ftrace_layout {
	uint32_t size;		/* of a page with its header; since 6.8 of several pages */
	uint32_t data;		/* offset of the events */
	uint32_t commit;	/* offset of the length of the data */
	uint32_t commit_size;	/* bytes of that length: a long of the kernel */
	bool big_endian;	/* the two parts of an event's head are in the other order */
	bool swapped;		/* the bytes of numbers are in the other order than here */
};

/*
 * Parses the text of events/header_page, of a kernel whose numbers are as here; the caller sets
 * `swapped` if not. Returns -1 if the layout is unknown.
 */
int ftrace_layout_parse(struct ftrace_layout *l, const char *text, bool big_endian);

/* A flag in the lower half of a page's length: events were lost right before this page. */
#define FTRACE_MISSED (1U << 31)

struct ftrace_page {
	const uint8_t *bytes;
	uint32_t at, end;	/* the events that are left */
	uint64_t time;		/* of the event before `at`; at the beginning, of the page */
	uint64_t lost;		/* the number of these; 0: the page does not tell */
	bool missed;		/* events were lost right before this page */
	bool big_endian, swapped;
};

struct ftrace_record {
	uint64_t time;		/* in the units of the trace clock */
	const uint8_t *data;	/* aligned to 4 bytes if the page is */
	uint32_t size;
};

/* Begins a page; `size`: the bytes that read(2) returned. Returns -1 if they can't be a page. */
int ftrace_page_open(struct ftrace_page *p, const struct ftrace_layout *l, const void *bytes,
		     uint32_t size);
/*
 * The parts of an event's head, a u32: its type or length, and the time since the event before
 * (events/header_event).
 */
#define FTRACE_TYPE_BITS 5
#define FTRACE_TIME_BITS 27
#define FTRACE_TYPE_MASK ((1U << FTRACE_TYPE_BITS) - 1)
#define FTRACE_TIME_MASK ((1U << FTRACE_TIME_BITS) - 1)
/* Types up to FTRACE_LENGTH_MAX are the length of the data in words; 0: the next word has it. */
#define FTRACE_LENGTH_MAX 28

/* ftrace_page_next() for any kind of event. */
int ftrace_page_next_any(struct ftrace_page *p, struct ftrace_record *record);

#define FTRACE_OWN_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/*
 * Reads the next record. Returns 1; 0 at the end; -1 if the rest can't be events. The inline part
 * is for nearly all events: the length is in the head, the byte order is that of this machine.
 */
static inline int ftrace_page_next(struct ftrace_page *p, struct ftrace_record *record)
{
	uint32_t head, words, size;

	if (p->end - p->at < sizeof(head) || p->big_endian != FTRACE_OWN_BIG_ENDIAN)
		return ftrace_page_next_any(p, record);
	memcpy(&head, p->bytes + p->at, sizeof(head));
	words = FTRACE_OWN_BIG_ENDIAN ? head >> FTRACE_TIME_BITS : head & FTRACE_TYPE_MASK;
	size = words * 4;
	if (words - 1 >= FTRACE_LENGTH_MAX || size > p->end - p->at - sizeof(head))
		return ftrace_page_next_any(p, record);
	p->time += FTRACE_OWN_BIG_ENDIAN ? head & FTRACE_TIME_MASK : head >> FTRACE_TYPE_BITS;
	record->time = p->time;
	record->data = p->bytes + p->at + sizeof(head);
	record->size = size;
	p->at += sizeof(head) + size;
	return 1;
}

#endif
