// SPDX-License-Identifier: GPL-2.0
/* Disks: requests to block devices. */
#include "compat/hooks_rows.h"

#define REQUEST		"dev=dev sector=sector sectors=nr_sector rwbs=rwbs"

const struct hook hooks_disks[] = {
	/*
	 * Requests are known by (device, sector) on every kernel. A join ends when the sectors of its issue are done;
	 * block_io_done says 0 sectors: not this one.
	 */
	HOOK("block.queue", "a request is made or queued",
		ONE(TRACEPOINT("block:block_io_start", REQUEST), .foreign = true),	/* 6.5 */
		ONE(TRACEPOINT("block:block_rq_insert", REQUEST), .foreign = true),	/* 2.6.3x */
	),
	HOOK("block.frontmerge", "an I/O was put in front of a waiting request",
		ONE(TRACEPOINT("block:block_bio_frontmerge", "dev=dev sector=sector sectors=nr_sector"),
		    .foreign = true),
	),
	HOOK("block.issue", "a request goes to the device",
		ONE(TRACEPOINT("block:block_rq_issue", REQUEST " bytes=bytes name=comm"), .foreign = true),	/* 2.6.3x */
	),
	HOOK("block.done", "sectors of a request are done",
		ONE(TRACEPOINT("block:block_rq_complete", REQUEST), .foreign = true),	/* 2.6.3x */
	),
	{ }
};
