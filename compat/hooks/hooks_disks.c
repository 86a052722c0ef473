// SPDX-License-Identifier: GPL-2.0
/*
 * Disks: requests to block devices.
 *
 * Raw tracepoints hand out the request itself: `request`, its address, is the key of all that is
 * known of it. Records tell only what the request is about. Programs have one or the other: those
 * that ask for `request` have rows of raw tracepoints only, and those that ask for `rwbs` have
 * tracepoints only.
 */
#include "compat/hooks/hooks_rows.h"

#define REQUEST		"dev=dev sector=sector sectors=nr_sector rwbs=rwbs"

/* `left`: its bytes that are not done yet. `flags`: its operation and flags, as the kernel's. */
#define ITSELF(RQ)	"request=" RQ ":*request "
#define MEMBERS(RQ) \
	ITSELF(RQ) "sector=+{request.__sector}(" RQ "):u64 " \
	"left=+{request.__data_len}(" RQ "):u32 " \
	"flags=+{request.cmd_flags}(" RQ "):u32 "
/* major and first_minor, which are side by side on all kernels */
#define DISK(AT)	"numbers=+{gendisk.major}(" AT "):c8 "
#define QUEUES_DISK(RQ)	DISK("+{request_queue.disk}(+{request.q}(" RQ "))")	/* 5.15 */
#define OWN_DISK(RQ)	DISK("+{request.rq_disk}(" RQ ")")			/* up to 5.16 */

/*
 * `io` is what the task that made the request is known by: since 6.5 the request, before that its
 * first I/O, which need not stay the first: then it is the last, `tail`, or unknown.
 */
#define BY_REQUEST(RQ)	"io=" RQ ":*request tail=0 "
#define BY_IO(RQ) \
	"io=+{request.bio}(" RQ "):*bio tail=+{request.biotail}(" RQ "):*bio "

#define FIRST_IO(IO)	"io=" IO ":*bio tail=" IO ":*bio"

/* The tracepoint may be hit once more when the request goes back to its queue. */
#define MAY_COME_AGAIN(RQ) "again=1 "

/* The name of the task that issues it. */
#define ISSUER		"name=+{task_struct.comm}($current):c16 "

/* Since 5.11, and some kernels before, the request is the first argument; else the queue is. */
#define RAW_FAMILY(FAMILY, NAME, INPUTS) \
	ONE(RAW_TP("block:" NAME, INPUTS), .family = (FAMILY), .foreign = true)
#define RAW(NAME, INPUTS)		RAW_FAMILY(NULL, NAME, INPUTS)
#define RAW_OF_DISKS(FAMILY, NAME, RQ, BY) \
	RAW_FAMILY(FAMILY, NAME, MEMBERS(RQ) BY(RQ) QUEUES_DISK(RQ)), \
	RAW_FAMILY(FAMILY, NAME, MEMBERS(RQ) BY(RQ) OWN_DISK(RQ))

const struct hook hooks_disks[] = {
	/*
	 * In records of every kernel device and sector identify a request. A join ends when the
	 * sectors of its issue are done. block_io_done can't be used: it tells 0 sectors.
	 */
	HOOK("block.queue", "a request is made or queued",
		RAW_FAMILY("requests", "block_io_start",		/* 6.5 */
			   MEMBERS("$arg1") "again=0 " QUEUES_DISK("$arg1")),
		RAW_OF_DISKS("bios", "block_rq_insert", "$arg1", MAY_COME_AGAIN),
		RAW_OF_DISKS("bios", "block_rq_insert", "$arg2", MAY_COME_AGAIN),
		ONE(TRACEPOINT("block:block_io_start", REQUEST), .foreign = true),	/* 6.5 */
		ONE(TRACEPOINT("block:block_rq_insert", REQUEST), .foreign = true),	/* 2.6.3x */
	),
	/*
	 * Only here the current task is the task that made the request: any task that empties the
	 * queue issues it. Both tracepoints tell the whole disk and its sectors, also for I/O to a
	 * partition. Disks without a queue do not hit block_rq_insert.
	 */
	HOOK("block.request", "a task makes a request",
		ONE(RAW_TP("block:block_io_start", BY_REQUEST("$arg1")),		/* 6.5 */
		    .family = "requests"),
		ONE(RAW_TP("block:block_getrq", FIRST_IO("$arg1")), .family = "bios"),	/* 5.11 */
		ONE(RAW_TP("block:block_getrq", FIRST_IO("$arg2")), .family = "bios"),
		ONE(TRACEPOINT("block:block_io_start", REQUEST)),	/* 6.5 */
		ONE(TRACEPOINT("block:block_getrq", REQUEST)),		/* 2.6.3x */
	),
	HOOK("block.frontmerge", "an I/O was put in front of a waiting request",
		ONE(TRACEPOINT("block:block_bio_frontmerge", REQUEST), .foreign = true),
	),
	/* Requests wait for more I/O. Two waiting requests may turn out to be neighbours. */
	HOOK("block.merge", "a waiting request became part of another one",
		RAW_FAMILY("requests", "block_rq_merge", ITSELF("$arg1") BY_REQUEST("$arg1")),
		RAW_FAMILY("bios", "block_rq_merge", ITSELF("$arg1") BY_IO("$arg1")),
		RAW_FAMILY("bios", "block_rq_merge", ITSELF("$arg2") BY_IO("$arg2")),
		ONE(TRACEPOINT("block:block_rq_merge", REQUEST), .foreign = true),	/* 5.10 */
	),
	HOOK("block.requeue", "a request goes back to its queue",
		RAW("block_rq_requeue", ITSELF("$arg1")),
		RAW("block_rq_requeue", ITSELF("$arg2")),
		ONE(TRACEPOINT("block:block_rq_requeue", REQUEST), .foreign = true),	/* 2.6.3x */
	),
	HOOK("block.issue", "a request goes to the device",
		RAW_FAMILY("requests", "block_rq_issue",
			   MEMBERS("$arg1") BY_REQUEST("$arg1") ISSUER QUEUES_DISK("$arg1")),
		RAW_OF_DISKS("bios", "block_rq_issue", "$arg1", ISSUER BY_IO),
		RAW_OF_DISKS("bios", "block_rq_issue", "$arg2", ISSUER BY_IO),
		/* 2.6.3x */
		ONE(TRACEPOINT("block:block_rq_issue", REQUEST " bytes=bytes name=comm"),
		    .foreign = true),
	),
	HOOK("block.done", "sectors of a request are done",
		RAW("block_rq_complete", MEMBERS("$arg1") QUEUES_DISK("$arg1") "bytes=$arg3:u32"),
		RAW("block_rq_complete", MEMBERS("$arg1") OWN_DISK("$arg1") "bytes=$arg3:u32"),
		ONE(TRACEPOINT("block:block_rq_complete", REQUEST), .foreign = true),	/* 2.6.3x */
	),
	{ }
};
