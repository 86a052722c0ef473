/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXPORT_PAGE_H
#define SONDE_EXPORT_PAGE_H

#include <stdbool.h>

#include "compat/base/strbuf.h"

/*
 * Pages on their way from the server to another process, in pieces of a socket that keeps their
 * ends (SOCK_SEQPACKET). Each piece says where it belongs, so that either end may be started again
 * in the middle of a page.
 */
#define PAGE_SECONDS 15			/* how often there is one */
#define PAGE_MOST (64U << 20)		/* bytes of one; a longer one is not sent */

struct page_writer {
	int to;				/* -1: nobody takes pages */
	struct strbuf page;		/* from `written` on it is to go */
	size_t written;
};

/* Begins to send a page, which is the writer's now, in place of one that is not gone yet. */
void page_begin(struct page_writer *w, struct strbuf *page);
bool page_is_sent(const struct page_writer *w);
/* Sends what can be sent now. */
void page_go_on(struct page_writer *w);

struct page_reader {
	int from;			/* -1: there is none */
	struct strbuf page;
	bool whole;			/* it was given: what comes next begins another one */
};

/*
 * Takes what has come. Returns true if reader->page is whole: it is there up to the next call.
 * Without memory a page is passed over.
 */
bool page_take(struct page_reader *reader);

#endif
