// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "tests/unit/rows/resolve_rows.h"

#define BLOCK \
	"block.issue: tracepoint block:block_rq_issue\n" \
	"block.requeue: tracepoint block:block_rq_requeue\n" \
	"block.done: tracepoint block:block_rq_complete\n"
#define WAITING(HOOK, EVENT, MERGE) \
	HOOK ": tracepoint block:" EVENT "\n" \
	"block.frontmerge: tracepoint block:block_bio_frontmerge\n" MERGE BLOCK
#define MERGE	"block.merge: tracepoint block:block_rq_merge\n"
#define BLOCK_QUEUED(EVENT, MERGE)	WAITING("block.queue", EVENT, MERGE)
#define REQUESTS(EVENT, MERGE)		WAITING("block.request", EVENT, MERGE)

/* Without what comes behind the issue. */
#define MADE_ISSUED(EVENT, MERGE) \
	"block.request: tracepoint block:" EVENT "\n" \
	"block.frontmerge: tracepoint block:block_bio_frontmerge\n" MERGE \
	"block.issue: tracepoint block:block_rq_issue\n"
#define PATTERNS "block.issue: tracepoint block:block_rq_issue\n" \
	"block.requeue: tracepoint block:block_rq_requeue\n"

static const struct resolve_row whole[] = {
	{ TO_4_4, "biolatency", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "biolatency", BPF, BLOCK },
	{ OLD NEWER, "biolatency", RING, BLOCK },
	{ TO_4_4, "biolatency -Q", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19", "biolatency -Q", BPF, BLOCK_QUEUED("block_rq_insert", "") },
	{ "5.10 6.1", "biolatency -Q", BPF | RING, BLOCK_QUEUED("block_rq_insert", MERGE) },
	{ OLD, "biolatency -Q", RING, BLOCK_QUEUED("block_rq_insert", "") },
	{ "6.12 7.2", "biolatency -Q", BPF | RING, BLOCK_QUEUED("block_io_start", MERGE) },
	{ TO_4_4, "biosnoop", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19", "biosnoop", BPF, REQUESTS("block_getrq", "") },
	{ "5.10 6.1", "biosnoop", BPF | RING, REQUESTS("block_getrq", MERGE) },
	{ OLD, "biosnoop", RING, REQUESTS("block_getrq", "") },
	{ "6.12 7.2", "biosnoop", BPF | RING, REQUESTS("block_io_start", MERGE) },
	{ TO_4_4, "biotop", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19", "biotop", BPF, REQUESTS("block_getrq", "") },
	{ "5.10 6.1", "biotop", BPF | RING, REQUESTS("block_getrq", MERGE) },
	{ OLD, "biotop", RING, REQUESTS("block_getrq", "") },
	{ "6.12 7.2", "biotop", BPF | RING, REQUESTS("block_io_start", MERGE) },
	{ TO_4_4, "biostacks", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19", "biostacks", BPF, REQUESTS("block_getrq", "") },
	{ "5.10 6.1", "biostacks", BPF | RING, REQUESTS("block_getrq", MERGE) },
	{ OLD, "biostacks", RING, REQUESTS("block_getrq", "") },
	{ "6.12 7.2", "biostacks", BPF | RING, REQUESTS("block_io_start", MERGE) },
	{ TO_4_4, "bitesize", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19", "bitesize", BPF, MADE_ISSUED("block_getrq", "") },
	{ "5.10 6.1", "bitesize", BPF | RING, MADE_ISSUED("block_getrq", MERGE) },
	{ OLD, "bitesize", RING, MADE_ISSUED("block_getrq", "") },
	{ "6.12 7.2", "bitesize", BPF | RING, MADE_ISSUED("block_io_start", MERGE) },
	{ TO_4_4, "biopattern", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 " NEWER, "biopattern", BPF, PATTERNS },
	{ OLD NEWER, "biopattern", RING, PATTERNS },
};

static const struct resolve_row lacking[] = {
	{ "6.1", "biostacks", BPF | RING, .without = "tracepoint:block:block_getrq",
	  .refused = "block.request: this kernel has no tracepoint block:block_io_start "
		     "(since 6.5)" },
	{ "4.1 4.4", "biolatency --backend bpf", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "6.1", "biosnoop", BPF | RING, BLOCK, "block.request\n",
	  .without = "tracepoint:block:block_getrq,tracepoint:block:block_bio_frontmerge,"
		     "tracepoint:block:block_rq_merge" },
	{ "6.1", "biosnoop --pid 7", BPF | RING, .without = "tracepoint:block:block_getrq",
	  .refused = "block.request: this kernel has no tracepoint block:block_io_start "
		     "(since 6.5)" },
	{ "6.1", "biotop -p 7", BPF | RING, REQUESTS("block_getrq", MERGE) },
	{ "6.1", "biolatency", BPF, .without = "percpu-maps", .refused = UNSAFE_HASH },
	{ "6.1", "biolatency --backend bpf", BPF, BLOCK, .without = "percpu-maps" },
};

RESOLVE_ROWS(disks, whole, lacking);
