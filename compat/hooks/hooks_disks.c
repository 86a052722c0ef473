// SPDX-License-Identifier: GPL-2.0
/* Disks: requests to block devices. */
#include "compat/hooks/hooks_rows.h"

#define REQUEST		"dev=dev sector=sector sectors=nr_sector rwbs=rwbs"

const struct hook hooks_disks[] = {
	/*
	 * Requests are known by (device, sector) on every kernel. A join ends when the sectors of
	 * its issue are done; block_io_done says 0 sectors: not this one.
	 */
	HOOK("block.queue", "a request is made or queued",
		ONE(TRACEPOINT("block:block_io_start", REQUEST), .foreign = true),	/* 6.5 */
		ONE(TRACEPOINT("block:block_rq_insert", REQUEST), .foreign = true),	/* 2.6.3x */
	),
	/*
	 * Here, and only here, the current task is the one whose request it is: it is issued by
	 * whoever empties the queue. Both tell the whole disk and its sectors, of I/O to a
	 * partition too. Inserting is left out where there is no queue.
	 */
	HOOK("block.request", "a task makes a request",
		ONE(TRACEPOINT("block:block_io_start", REQUEST)),	/* 6.5 */
		ONE(TRACEPOINT("block:block_getrq", REQUEST)),		/* 2.6.3x */
	),
	HOOK("block.frontmerge", "an I/O was put in front of a waiting request",
		ONE(TRACEPOINT("block:block_bio_frontmerge", REQUEST), .foreign = true),
	),
	/*
	 * Requests wait for more to come, and two of them may turn out to stand beside each other.
	 */
	HOOK("block.merge", "a waiting request became part of another one",
		ONE(TRACEPOINT("block:block_rq_merge", REQUEST), .foreign = true),	/* 5.10 */
	),
	HOOK("block.requeue", "a request goes back to its queue",
		ONE(TRACEPOINT("block:block_rq_requeue", REQUEST), .foreign = true),	/* 2.6.3x */
	),
	HOOK("block.issue", "a request goes to the device",
		/* 2.6.3x */
		ONE(TRACEPOINT("block:block_rq_issue", REQUEST " bytes=bytes name=comm"),
		    .foreign = true),
	),
	HOOK("block.done", "sectors of a request are done",
		ONE(TRACEPOINT("block:block_rq_complete", REQUEST), .foreign = true),	/* 2.6.3x */
	),
	{ }
};
