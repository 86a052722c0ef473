/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXPORT_REMOTE_WRITE_H
#define SONDE_EXPORT_REMOTE_WRITE_H

#include <sys/types.h>

#include "src/commands/export/pages/remote_url.h"

/*
 * The process that posts pages to a receiver of remote write 1.0. It has no rights; it may connect.
 * Pages wait while the receiver is away (remote_queue.h).
 */

struct remote_setup {
	struct remote_url url;
	int pages;			/* they come from there (page.h) */
	int counts;			/* what became of them goes there (metrics_wire.h) */
	pid_t parent;			/* when it ends, this process does */
};

/* Runs until it is killed, by the other half or with it. In a process of its own. */
void remote_write_run(const struct remote_setup *setup) __attribute__((noreturn));

#endif
