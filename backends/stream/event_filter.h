/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EVENT_FILTER_H
#define SONDE_EVENT_FILTER_H

#include <stdbool.h>

/* The filter of an event that several attachments share: it passes what any of them wants. */
struct event_filter {
	bool unfiltered;	/* an attachment wants all of its records */
	char *text;		/* freed by the owner */
};

/* `filter` NULL: all records. Returns -1 if there is no memory. */
int event_filter_add(struct event_filter *f, const char *filter);
/* NULL: none. */
const char *event_filter(const struct event_filter *f);

#endif
