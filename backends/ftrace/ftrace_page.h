/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FTRACE_PAGE_H
#define SONDE_FTRACE_PAGE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The binary pages of ftrace's ring buffer, as read(2) of trace_pipe_raw hands them over: a header
 * (time of the first event, length of the data, marks of lost events) and events with a compressed
 * head of 4 bytes. A page is data from
 * outside: whatever its bytes are, reading stays inside of it and comes to an end.
 */

/* What events/header_page says. */
struct ftrace_layout {
	/* of a whole page (since 6.8 a sub-buffer of several), header included */
	uint32_t size;
	uint32_t data;		/* where the events begin */
	/* where the length of the data is told, in commit_size bytes: the kernel's long */
	uint32_t commit;
	uint32_t commit_size;
	bool big_endian;	/* the kernel is: the two parts of an event's head change places */
};

/* Parses the text of events/header_page; 0, or -1 if that is no layout we can read. */
int ftrace_layout_parse(struct ftrace_layout *l, const char *text, bool big_endian);

struct ftrace_page {
	const uint8_t *bytes;
	uint32_t at, end;	/* of the events that are left */
	uint64_t time;		/* of the event before `at`; after opening: of the page */
	bool missed;		/* events were lost between the page before this one and this one */
	bool big_endian;
};

struct ftrace_record {
	uint64_t time;		/* in the units of the trace clock */
	const uint8_t *data;	/* aligned to 4 bytes if the page is */
	uint32_t size;
};

/* `size` bytes, as many as read(2) returned; -1 if they can't be a page. */
int ftrace_page_open(struct ftrace_page *p, const struct ftrace_layout *l, const void *bytes,
		     uint32_t size);
/* The next record: 1; 0: there is no more; -1: what follows can't be events. */
int ftrace_page_next(struct ftrace_page *p, struct ftrace_record *r);

#endif
