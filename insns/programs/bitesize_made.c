// SPDX-License-Identifier: GPL-2.0
/*
 * bitesize where events do not tell the request: a key is made of what they tell.
 *
 * key = { dev, operation, sector }
 * block.request:	who[key] = the task; if another request waits there already, both have no
 *			name unless it is the same task
 * block.frontmerge:	move who[end of the I/O] to who[key]
 * block.merge:		drop who[key]: the request became part of another one
 * block.issue:		sizes[take who[key], slot(bytes / 1024)]++
 *
 * What has no sectors, a flush or a command that a program sends to the device, counts for the task
 * that issues it. Up to 4.9 the event's `bytes` is set only for such commands.
 */
#include "insns/programs/biosnoop_keys.h"
#include "insns/programs/bitesize_sizes.h"

static const struct map maps[] = {
	{ "who", MAP_HASH, ROLE_HINT, sizeof(struct disk_key), sizeof(struct who), DISK_WAITING,
	  .detail = true },
	SIZES_MAP,
	{ }
};

struct frame {
	struct disk_key key;
	struct who who;
	char rwbs[8];
	struct bitesize_key size;
};

/* Registers beside those of keys. */
enum { SIZE = R7, SLOT = R8 };

static const struct insn on_request[] = {
	REQUEST_KEY(rwbs, "out"),
	JEQ(N_SECTORS, 0, "out"),
	FIELD(TASK, "pid_tgid"),
	FIELD(NOW, "time"),
	SET(who.task.time, NOW),
	SET(who.task.pid_tgid, TASK),
	SET_BYTES(who.task.comm, "comm"),
	WAIT_FOR_ISSUE(TASK),				/* who[key] = the task */
LABEL("out"),
	EXIT,
};

static const struct insn on_frontmerge[] = {
	REQUEST_KEY(rwbs, "out"),
	MOVE_FRONT("who", who, "out"),			/* move who[end] to who[key] */
LABEL("out"),
	EXIT,
};

static const struct insn on_merge[] = {
	REQUEST_KEY(rwbs, "out"),
	FORGET_MERGED("who", struct who, "out"),	/* drop who[key] */
LABEL("out"),
	EXIT,
};

static const struct insn on_issue[] = {
	JUMP_UNLESS("dev", "all"),
	FIELD(DISK, "dev"),
	CONST(R1, "dev"),
	JNE_REG(DISK, R1, "out"),
LABEL("all"),
	FIELD(SIZE, "sectors"),
	JEQ(SIZE, 0, "issuer"),
	REQUEST_KEY(rwbs, "out"),
	TAKE_WHO,					/* size.name = take who[key] */
	COPY(size.name, who.task.comm),
	BPF_ALU64_IMM(BPF_MUL, RENAME(SIZE, N_SECTORS), 512),
	JUMP("sized"),
LABEL("issuer"),
	FIELD(SIZE, "bytes"),
	SET_BYTES(size.name, "name"),
LABEL("sized"),
	COUNT_SIZE(SIZE, SLOT),				/* sizes[name, slot(bytes / 1024)]++ */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("block.request", on_request),
	PROGRAM("block.frontmerge", on_frontmerge, .spare = true),
	PROGRAM("block.merge", on_merge, .spare = true),
	PROGRAM("block.issue", on_issue),
	{ }
};

const struct program_set bitesize_made_programs = { programs, maps };
