// SPDX-License-Identifier: GPL-2.0
/* Disks: requests to block devices. */
#include "compat/hooks/hooks_rows.h"

#define REQUEST		"dev=dev sector=sector sectors=nr_sector rwbs=rwbs"

const struct hook hooks_disks[] = {
	/*
	 * On every kernel device and sector identify a request. A join ends when the sectors of its
	 * issue are done. block_io_done can't be used: it tells 0 sectors.
	 */
	HOOK("block.queue", "a request is made or queued",
		ONE(TRACEPOINT("block:block_io_start", REQUEST), .foreign = true),	/* 6.5 */
		ONE(TRACEPOINT("block:block_rq_insert", REQUEST), .foreign = true),	/* 2.6.3x */
	),
	/*
	 * Only here the current task is the task that made the request: any task that empties the
	 * queue issues it. Both tracepoints tell the whole disk and its sectors, also for I/O to a
	 * partition. Disks without a queue do not hit block_rq_insert.
	 */
	HOOK("block.request", "a task makes a request",
		ONE(TRACEPOINT("block:block_io_start", REQUEST)),	/* 6.5 */
		ONE(TRACEPOINT("block:block_getrq", REQUEST)),		/* 2.6.3x */
	),
	HOOK("block.frontmerge", "an I/O was put in front of a waiting request",
		ONE(TRACEPOINT("block:block_bio_frontmerge", REQUEST), .foreign = true),
	),
	/* Requests wait for more I/O. Two waiting requests may turn out to be neighbours. */
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
