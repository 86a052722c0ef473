/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FTRACE_PAGE_H
#define SONDE_FTRACE_PAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/*
 * The binary pages of ftrace's ring buffer, as read(2) of trace_pipe_raw hands them over: a header
 * (time of the first event, length of the data, marks of lost events), then events, each with a
 * compressed head of 4 bytes. A page is data from outside: whatever its bytes are, the reader stays
 * inside it and comes to an end.
 */

/* What events/header_page says. */
struct ftrace_layout {
	uint32_t size;		/* of a page with its header; since 6.8 of several pages */
	uint32_t data;		/* where the events begin */
	uint32_t commit;	/* where the length of the data is */
	uint32_t commit_size;	/* and its bytes: those of the kernel's long */
	bool big_endian;	/* the two parts of an event's head change places then */
};

/* Parses the text of events/header_page; -1: sonde does not know this layout. */
int ftrace_layout_parse(struct ftrace_layout *l, const char *text, bool big_endian);

struct ftrace_page {
	const uint8_t *bytes;
	uint32_t at, end;	/* where the events are that are left */
	uint64_t time;		/* of the event before `at`; of the page, if there is none */
	bool missed;		/* events were lost right before this page */
	bool big_endian;
};

struct ftrace_record {
	uint64_t time;		/* in the units of the trace clock */
	const uint8_t *data;	/* aligned to 4 bytes if the page is */
	uint32_t size;
};

/* `size`: as many bytes as read(2) returned. -1: they can't be a page. */
int ftrace_page_open(struct ftrace_page *p, const struct ftrace_layout *l, const void *bytes,
		     uint32_t size);
/*
 * The parts of an event's head, a u32: its type or length, and the time since the event before it
 * (events/header_event).
 */
#define FTRACE_TYPE_BITS 5
#define FTRACE_TIME_BITS 27
#define FTRACE_TYPE_MASK ((1U << FTRACE_TYPE_BITS) - 1)
#define FTRACE_TIME_MASK ((1U << FTRACE_TIME_BITS) - 1)
/*
 * Up to FTRACE_LENGTH_MAX it is the length of the data in words; 0: the next word has the length.
 */
#define FTRACE_LENGTH_MAX 28

/* ftrace_page_next() of whatever may be in a page. */
int ftrace_page_next_any(struct ftrace_page *p, struct ftrace_record *record);

#define FTRACE_OWN_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/*
 * The next record: 1; 0: there is no more; -1: what follows can't be events. What nearly all events
 * are is here: data whose length is in the head, of the machine on which sonde runs.
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
