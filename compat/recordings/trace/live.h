/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LIVE_H
#define SONDE_LIVE_H

#include "compat/recordings/trace/trace_data.h"

/*
 * The rings of ftrace as they are now, those of a boot for example: a folder of tracefs, of the
 * main rings or of an instance. Their pages are copied into a file in memory, and are read from
 * there as those of a trace.dat.
 */

/* Where the pages come from, and what they were; of struct recording.live. */
struct live {
	char *folder;			/* of tracefs */
	struct kernel *kernel;		/* that of this machine */
	char *on;			/* the text of set_event; NULL: it can't be read */
	uint64_t full;			/* ns: when a ring that keeps its oldest events was full */
	uint64_t before;		/* events that other readers took out */
	bool taken;			/* reading has emptied the rings */
	bool torn;			/* pages were overwritten while they were copied */
};

/*
 * Copies all pages of all CPUs, up to the events of now, and notes the types of their records.
 * Returns -1 and sets err on failure.
 */
int live_pages_copy(struct recording *r, struct live *live, struct error *err);

/*
 * The pages of a ring that stay in it: since 6.10 the kernel maps them for readers. Calls `each`
 * for each page with records, the oldest first, or with NULL in place of one that was overwritten
 * meanwhile; what it returns ends the calls if it is not 0, and is returned: -1. Returns 1 if the
 * kernel does not map them, or if records were taken out before.
 */
typedef int (*live_page_fn)(void *arg, uint8_t *page);
int live_pages_map(int fd, const struct ftrace_layout *layout, live_page_fn each, void *arg);

#endif
