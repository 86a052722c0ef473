// SPDX-License-Identifier: GPL-2.0
/*
 * block.issue:		if (it has no sectors) out		(a flush, a command)
 *			if (it ends at last[disk, operation].requeued) out	(issued again)
 *			patterns[disk, operation] += { 1, sequential or random, sectors }
 *			last[disk, operation].next = its end
 * block.requeue:	last[disk, operation].requeued = its end
 *
 * Requests are counted in the order of their issue: the end of requests that a device has at the
 * same time comes in any order. Reads do not make writes random, nor writes reads.
 */
#include "insns/programs/biopattern.h"

#include <stddef.h>

#include "insns/hist.h"

static const struct map maps[] = {
	{ "last", MAP_HASH, ROLE_HINT, 8, 16, 4096, .detail = true },
	{ "patterns", MAP_HASH, ROLE_RESULT, sizeof(struct biopattern_key),
	  sizeof(struct biopattern_counts), 4096, .key = &biopattern_key_layout,
	  .value = &biopattern_counts_layout },
	{ }
};

struct stream {
	uint32_t dev;
	uint32_t operation;
};

/* Sectors at which a stream's next request begins if it is sequential. */
struct last {
	u64 next;
	u64 requeued;		/* end of a request that will be issued again; 0: none */
};

struct frame {
	char rwbs[8];
	struct stream stream;
	struct last last;
	struct biopattern_key key;
	struct biopattern_counts counts;
};

/* Registers. */
enum { DEV = R6, OPERATION = R6, SECTOR = R7, SECTORS = R8, END = R9 };

/*
 * frame.stream, SECTOR, SECTORS and END of the request; if it has no sectors, or if the user asked
 * for another disk, goto OUT. Before a letter F for a flush comes the operation's own letter.
 */
#define REQUEST(OUT) \
	FIELD(DEV, "dev"), \
	JUMP_UNLESS("dev", ".any_disk"), \
	CONST(R1, "dev"), \
	JNE_REG(DEV, R1, OUT), \
	LABEL(".any_disk"), \
	SET(stream.dev, DEV), \
	FIELD(SECTOR, "sector"), \
	FIELD(SECTORS, "sectors"), \
	JEQ(SECTORS, 0, OUT), \
	BPF_MOV64_REG(END, SECTOR), \
	BPF_ALU64_REG(BPF_ADD, END, SECTORS), \
	ZERO(rwbs), \
	SET_BYTES_N(rwbs, "rwbs", 2), \
	GET(OPERATION, rwbs[0]), \
	JNE(OPERATION, 'F', ".operation"), \
	GET(R1, rwbs[1]), \
	JEQ(R1, 0, ".operation"), \
	BPF_MOV64_REG(OPERATION, R1),			/* a flush goes ahead of it */ \
	LABEL(".operation"), \
	SET(stream.operation, OPERATION)

#define ADD_TO(M)	ADD_MEMBER(struct biopattern_counts, counts, M)

/* patterns[disk, operation] += frame.counts */
#define ADD_COUNTS \
	SET_EPOCH(key.epoch), \
	COPY(key.dev, stream.dev), \
	COPY(key.operation, stream.operation), \
	LOOKUP("patterns", key), \
	JNE(R0, 0, ".found"), \
	STORE_NEW("patterns", key, counts), \
	JEQ(R0, 0, ".counted"), \
	LOOKUP("patterns", key),			/* made by another CPU, or no room */ \
	JNE(R0, 0, ".found"), \
	COUNT_FULL, \
	JUMP(".counted"), \
	LABEL(".found"), \
	ADD_TO(requests), \
	ADD_TO(sequential), \
	ADD_TO(random), \
	ADD_TO(sectors), \
	LABEL(".counted")

static const struct insn on_issue[] = {
	REQUEST("out"),
	SET_IMM(counts.requests, 1),
	SET_IMM(counts.sequential, 0),
	SET_IMM(counts.random, 0),
	SET(counts.sectors, SECTORS),
	LOOKUP_OR("last", stream, "first"),
	LOAD(R1, R0, struct last, requeued),
	JNE_REG(R1, END, "new"),
	PUT_IMM(R0, struct last, requeued, 0),		/* it was counted already */
	JUMP("out"),
LABEL("new"),
	LOAD(R1, R0, struct last, next),
	PUT(R0, struct last, next, END),		/* last[stream].next = end */
	JNE_REG(R1, SECTOR, "random"),
	SET_IMM(counts.sequential, 1),
	JUMP("count"),
LABEL("random"),
	SET_IMM(counts.random, 1),
	JUMP("count"),
LABEL("first"),
	SET(last.next, END),
	SET_IMM(last.requeued, 0),
	UPDATE("last", stream, last),			/* last[stream] = { end } */
LABEL("count"),
	ADD_COUNTS,					/* patterns[stream] += ... */
LABEL("out"),
	EXIT,
};

static const struct insn on_requeue[] = {
	REQUEST("out"),
	LOOKUP_OR("last", stream, "out"),
	PUT(R0, struct last, requeued, END),		/* last[stream].requeued = end */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("block.issue", on_issue),
	PROGRAM("block.requeue", on_requeue, .optional = true),
	{ }
};

const struct program_set biopattern_programs = { programs, maps };
