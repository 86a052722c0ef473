// SPDX-License-Identifier: GPL-2.0
/*
 * device.xmit, queue.xmit:	if (the device took it) devices[tx, queue, device] += { 1, bytes }
 * device.receive, queue.receive:	devices[rx, queue, device] += { 1, bytes }
 *
 * Packets are counted where a device hands them to the kernel: later several may have become one.
 */
#include "insns/programs/nettop.h"

#include <stddef.h>

#include "insns/hist.h"

static const struct map maps[] = {
	{ "devices", MAP_HASH, ROLE_RESULT, sizeof(struct nettop_key),
	  sizeof(struct nettop_counts), 10240, .key = &nettop_key_layout,
	  .value = &nettop_counts_layout },
	{ }
};

struct frame {
	struct nettop_key key;
	struct nettop_counts none;
};

/* Registers. */
enum { RESULT = R6, NAME = R6, LENGTH = R7, QUEUE = R8 };

#define ADD_ONE(M) \
	XADD(R0, struct nettop_counts, M, R1)

/* devices[DIRECTION, queue, device] += { 1, LENGTH } */
#define COUNT_PACKET(DIRECTION, OUT) \
	FIELD(LENGTH, "len"), \
	FIELD(QUEUE, "queue"), \
	SET(key.queue, QUEUE), \
	STRING(NAME, "name"), \
	ZERO(key.name), \
	SET_KERNEL_STRING(key.name, NAME), \
	SET_IMM(key.direction, DIRECTION), \
	SET_EPOCH(key.epoch), \
	LOOKUP("devices", key), \
	JNE(R0, 0, ".found"), \
	ZERO(none), \
	STORE_NEW("devices", key, none), \
	LOOKUP("devices", key),				/* its own, or another CPU's */ \
	JNE(R0, 0, ".found"), \
	COUNT_FULL, \
	JUMP(OUT), \
	LABEL(".found"), \
	XADD(R0, struct nettop_counts, bytes, LENGTH), \
	BPF_MOV64_IMM(R1, 1), \
	ADD_ONE(packets), \
	JLT(LENGTH, 64, ".below_64"), \
	JLT(LENGTH, 512, ".below_512"), \
	JLT(LENGTH, 2048, ".below_2k"), \
	JLT(LENGTH, 16384, ".below_16k"), \
	ADD_ONE(above), \
	JUMP(OUT), \
	LABEL(".below_64"), \
	ADD_ONE(below_64), \
	JUMP(OUT), \
	LABEL(".below_512"), \
	ADD_ONE(below_512), \
	JUMP(OUT), \
	LABEL(".below_2k"), \
	ADD_ONE(below_2k), \
	JUMP(OUT), \
	LABEL(".below_16k"), \
	ADD_ONE(below_16k)

static const struct insn on_xmit[] = {
	FIELD(RESULT, "rc"),				/* if (it will be sent again) out */
	JNE(RESULT, 0, "out"),
	COUNT_PACKET(NETTOP_TX, "out"),
LABEL("out"),
	EXIT,
};

static const struct insn on_receive[] = {
	COUNT_PACKET(NETTOP_RX, "out"),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("device.xmit", on_xmit, .option = "devices"),
	PROGRAM("device.receive", on_receive, .option = "devices"),
	PROGRAM("queue.xmit", on_xmit, .option = "queues"),
	PROGRAM("queue.receive", on_receive, .option = "queues"),
	{ }
};

const struct program_set nettop_programs = { programs, maps };
