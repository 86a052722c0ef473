// SPDX-License-Identifier: GPL-2.0
/*
 * Rows of small programs and what lowering makes of them for one event, engine and kernel, in the disassembler's
 * notation.
 */
#include "insns/lower/lower.h"

#include <stdlib.h>
#include <string.h>

#include "insns/lower/disasm.h"
#include "tests/unit/plain.h"
#include "tests/unit/unit.h"

Suite *suite_lower(void);

#define COUNT_OF(array) (int)(sizeof(array) / sizeof((array)[0]))
#define ROOM 20

static const struct map maps[] = {
	{ MAP_STATE, MAP_ARRAY, ROLE_TABLE, 4, 8, STATE_SLOTS },
	{ "hash", MAP_HASH, ROLE_JOIN, 4, 8, 100 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0 },
	{ MAP_TGIDS, MAP_HASH, ROLE_TABLE, 4, 4, 2 },
	{ MAP_TIDS, MAP_HASH, ROLE_TABLE, 4, 4, 2 },
	{ MAP_FAMILY, MAP_HASH, ROLE_TABLE, 4, 8, 16 },
	{ "array", MAP_ARRAY, ROLE_RESULT, 4, 8, 16 },
	{ "percpu", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, 16 },
};

#define NUMBER(NAME, OFFSET, SIZE, SIGNED) \
	{ .name = NAME, .kind = INPUT_NUMBER, .place = PLACE_RECORD, .offset = (OFFSET), .size = (SIZE), \
	  .is_signed = (SIGNED) }
#define FIXED(NAME, VALUE)	{ .name = NAME, .kind = INPUT_NUMBER, .place = PLACE_CONSTANT, .value = (VALUE) }

#define WHO(NAME, ID)	{ .name = NAME, .place = PLACE_IDENTITY, .identity = IDENTITY_##ID, .size = 8 }

static const struct layout record = {
	.n_inputs = 25, .inputs = (struct input[]){
		NUMBER("u8", 8, 1, false), NUMBER("s8", 9, 1, true), NUMBER("u16", 10, 2, false),
		NUMBER("s16", 12, 2, true),
		NUMBER("u32", 16, 4, false), NUMBER("s32", 20, 4, true), NUMBER("u64", 24, 8, false),
		NUMBER("s64", 32, 8, true), NUMBER("far", 40000, 4, false),
		FIXED("small", -100), FIXED("large", 0x123456789), FIXED("none", 0),
		{ .name = "text", .kind = INPUT_STRING, .place = PLACE_DATA_LOC, .offset = 40, .size = 4 },
		{ .name = "array", .kind = INPUT_STRING, .place = PLACE_RECORD, .offset = 44, .size = 16 },
		{ .name = "bytes", .kind = INPUT_BYTES, .place = PLACE_RECORD, .offset = 60, .size = 16 },
		{ .name = "odd", .kind = INPUT_BYTES, .place = PLACE_RECORD, .offset = 77, .size = 5 },
		NUMBER("half", 92, 8, false),
		WHO("time", TIME), WHO("cpu", CPU), WHO("pid_tgid", PID_TGID), WHO("tid", TID), WHO("tgid", TGID),
		WHO("uid", UID), WHO("gid", GID),
		{ .name = "comm", .kind = INPUT_BYTES, .place = PLACE_IDENTITY, .identity = IDENTITY_COMM, .size = 16 },
	},
};

/* What a BPF program has of the same event: a pointer to the text. */
static const struct layout pointer = {
	.n_inputs = 1, .inputs = (struct input[]){
		{ .name = "text", .kind = INPUT_STRING, .place = PLACE_RECORD, .offset = 24, .size = 8, .user = true },
	},
};

#define REGISTER(NAME, SIZE, SIGNED, ...) \
	{ .name = NAME, .kind = INPUT_NUMBER, .place = PLACE_REGISTER, .offset = 112, .size = (SIZE), \
	  .is_signed = (SIGNED), \
	  .register_size = 8, __VA_ARGS__ }

static const struct layout call = {
	.n_inputs = 12, .inputs = (struct input[]){
		REGISTER("u64", 8, false), REGISTER("s32", 4, true), REGISTER("u32", 4, false),
		REGISTER("u16", 2, false),
		REGISTER("s16", 2, true),
		REGISTER("read", 4, false, .derefs = 1, .deref = { { 16, 4, false } }),
		REGISTER("chain", 4, true, .derefs = 2, .deref = { { 0, 8, false }, { 24, 4, true } }),
		REGISTER("port", 2, false, .network_order = true),
		{ .name = "narrow", .kind = INPUT_NUMBER, .place = PLACE_REGISTER, .offset = 112, .size = 4,
		  .register_size = 4 },
		{ .name = "text", .kind = INPUT_STRING, .place = PLACE_REGISTER, .offset = 104, .register_size = 8,
		  .user = true },
		{ .name = "path", .kind = INPUT_STRING, .place = PLACE_REGISTER, .offset = 104, .register_size = 8,
		  .derefs = 1, .deref = { { 0, 8, false } }, .value = 8 },
		{ .name = "memory", .kind = INPUT_BYTES, .place = PLACE_REGISTER, .offset = 104, .register_size = 8,
		  .size = 12, .value = 24, .user = true },
	},
};

static const struct layout part = {
	.n_inputs = 1, .inputs = (struct input[]){
		{ .name = "second", .kind = INPUT_STRING, .place = PLACE_DATA_LOC, .offset = 16, .size = 4 },
	},
};
static const struct layout other_part = {
	.n_inputs = 1, .inputs = (struct input[]){
		{ .name = "first", .kind = INPUT_STRING, .place = PLACE_DATA_LOC, .offset = 16, .size = 4 },
	},
};

static const struct constant options[] = {
	{ "on", 1 }, { "off", 0 }, { "mask", 0x123456789 }, { "negative", -1 }, { }
};
static const struct constant facts[] = {
	{ "hook:other", 1 }, { "on", 0 }, { "ring_wakeup", 65536 }, { }
};

static const uint32_t one[] = { 5 }, high[] = { 0x80000005 }, two[] = { 5, 6 };

static const struct row {
	const char *what;
	int targets;
	const struct layout *layout;
	struct insn program[ROOM];
	const char *code;
	const char *without;
	struct filter filter;
	enum event_kind kind;
} rows[] = {
#define BPF(WHAT, EVENT, PROGRAM, CODE, ...)	{ WHAT, 1 << TARGET_BPF, &EVENT, { PROGRAM }, CODE, __VA_ARGS__ }
#define RING(WHAT, EVENT, PROGRAM, CODE, ...)	{ WHAT, 1 << TARGET_RING, &EVENT, { PROGRAM }, CODE, __VA_ARGS__ }
#define BOTH(WHAT, EVENT, PROGRAM, CODE, ...) \
	{ WHAT, 1 << TARGET_BPF | 1 << TARGET_RING, &EVENT, { PROGRAM }, CODE, __VA_ARGS__ }
#define P(...) __VA_ARGS__
#define END "r0 = 1\n" "exit\n"
	/* Where the context is: r1 as long as it lasts, then a register nobody uses, else the stack. */
	BPF("context in r1", record,
	     P(FIELD(R6, "u64"), FIELD(R7, "u32"), EXIT),
	     "r6 = *(u64 *)(r1 +24)\n" "r7 = *(u32 *)(r1 +16)\n" END),
	BPF("context in a register after a call", record,
	     P(FIELD(R6, "time"), FIELD(R7, "u64"), EXIT),
	     "r9 = r1\n" "call ktime_get_ns\n" "r6 = r0\n" "r7 = *(u64 *)(r9 +24)\n" END),
	BPF("context on the stack", record,
	     P(FIELD(R6, "time"), FIELD(R7, "u64"), FIELD(R8, "u32"), BPF_MOV64_IMM(R9, 0), EXIT),
	     "*(u64 *)(r10 -488) = r1\n" "call ktime_get_ns\n" "r6 = r0\n" "r1 = *(u64 *)(r10 -488)\n"
	     "r7 = *(u64 *)(r1 +24)\n" "r8 = *(u32 *)(r1 +16)\n" "r9 = 0\n" END),
	BPF("not saved where it is not needed again", record,
	     P(FIELD(R6, "u64"), FIELD(R7, "time"), EXIT),
	     "r6 = *(u64 *)(r1 +24)\n" "call ktime_get_ns\n" "r7 = r0\n" END),
	BPF("a field in r1 takes the context away", record,
	     P(FIELD(R1, "u64"), FIELD(R6, "u32"), EXIT),
	     "r9 = r1\n" "r1 = *(u64 *)(r1 +24)\n" "r6 = *(u32 *)(r9 +16)\n" END),
	BPF("at a label r1 may be anything", record,
	     P(FIELD(R6, "u64"), JUMP_IF(BPF_JEQ, R6, 0, "x"), LABEL("x"), FIELD(R7, "u32"), EXIT),
	     "r9 = r1\n" "r6 = *(u64 *)(r1 +24)\n" "if r6 == 0x0 goto pc+0\n" "r7 = *(u32 *)(r9 +16)\n" END),
	BPF("a plain instruction on r1 takes it away", record,
	     P(BPF_MOV64_IMM(R1, 5), FIELD(R6, "u64"), EXIT),
	     "r9 = r1\n" "r1 = 5\n" "r6 = *(u64 *)(r9 +24)\n" END),

	/* Numbers, extended by their type. */
	BPF("8 bytes that i386 aligns to 4: in halves", record,
	     P(FIELD(R6, "half"), FIELD(R0, "half"), FIELD(R1, "half"), EXIT),
	     "r0 = *(u32 *)(r1 +96)\n" "r6 = *(u32 *)(r1 +92)\n" "r0 <<= 32\n" "r6 |= r0\n"
	     "r2 = *(u32 *)(r1 +96)\n" "r0 = *(u32 *)(r1 +92)\n" "r2 <<= 32\n" "r0 |= r2\n"
	     "r0 = *(u32 *)(r1 +96)\n" "r1 = *(u32 *)(r1 +92)\n" "r0 <<= 32\n" "r1 |= r0\n" END),
	RING("the machine loads at any alignment", record, P(FIELD(R6, "half"), EXIT),
	     "r6 = *(u64 *)record[92]\n" END),
	BPF("unsigned", record,
	     P(FIELD(R6, "u8"), FIELD(R7, "u16"), FIELD(R8, "u32"), FIELD(R9, "u64"), EXIT),
	     "r6 = *(u8 *)(r1 +8)\n" "r7 = *(u16 *)(r1 +10)\n" "r8 = *(u32 *)(r1 +16)\n" "r9 = *(u64 *)(r1 +24)\n"
	     END),
	RING("unsigned", record,
	     P(FIELD(R6, "u8"), FIELD(R7, "u16"), FIELD(R8, "u32"), FIELD(R9, "u64"), EXIT),
	     "r6 = *(u8 *)record[8]\n" "r7 = *(u16 *)record[10]\n" "r8 = *(u32 *)record[16]\n"
	     "r9 = *(u64 *)record[24]\n" END),
	BPF("signed", record,
	     P(FIELD(R6, "s8"), FIELD(R7, "s16"), FIELD(R8, "s32"), FIELD(R9, "s64"), EXIT),
	     "r6 = *(u8 *)(r1 +9)\n" "r6 <<= 56\n" "r6 s>>= 56\n" "r7 = *(u16 *)(r1 +12)\n" "r7 <<= 48\n"
	     "r7 s>>= 48\n" "r8 = *(u32 *)(r1 +20)\n" "r8 <<= 32\n" "r8 s>>= 32\n" "r9 = *(u64 *)(r1 +32)\n"
	     END),
	RING("signed", record,
	     P(FIELD(R6, "s8"), FIELD(R7, "s16"), FIELD(R8, "s32"), FIELD(R9, "s64"), EXIT),
	     "r6 = *(s8 *)record[9]\n" "r7 = *(s16 *)record[12]\n" "r8 = *(s32 *)record[20]\n"
	     "r9 = *(u64 *)record[32]\n" END),
	RING("far behind", record,
	     P(FIELD(R6, "far"), EXIT),
	     "r6 = *(u32 *)record[40000]\n" END),
	BOTH("constants of the hook", record,
	     P(FIELD(R6, "small"), FIELD(R7, "large"), EXIT),
	     "r6 = -100\n" "r7 = 0x123456789\n" END),
	BPF("optional, and not there", record,
	     P(FIELD(R6, "nowhere?"), BYTES_AT(-16, "nowhere?", 12), STRING(R7, "nowhere?"), EXIT),
	     "r6 = 0\n" "*(u64 *)(r10 -16) = 0\n" "*(u32 *)(r10 -8) = 0\n" "r7 = 0\n" END),
	RING("optional, and not there", record,
	     P(FIELD(R6, "nowhere?"), BYTES_AT(-16, "nowhere?", 12), STRING(R7, "nowhere?"), EXIT),
	     "r6 = 0\n" "zero r10 -16, 12 bytes\n" "r7 = 0\n" END),
	BPF("optional, and there", record,
	     P(FIELD(R6, "u32?"), EXIT),
	     "r6 = *(u32 *)(r1 +16)\n" END),
	RING("optional, and there", record,
	     P(FIELD(R6, "u32?"), EXIT),
	     "r6 = *(u32 *)record[16]\n" END),
	BPF("registers are cut to their type", call,
	     P(FIELD(R6, "u64"), FIELD(R7, "u32"), FIELD(R8, "s32"), FIELD(R9, "u16"), EXIT),
	     "r3 = *(u64 *)(r1 +112)\n" "r6 = r3\n" "r3 = *(u64 *)(r1 +112)\n" "r7 = r3\n" "w7 = w7\n"
	     "r3 = *(u64 *)(r1 +112)\n" "r8 = r3\n" "r8 <<= 32\n" "r8 s>>= 32\n" "r3 = *(u64 *)(r1 +112)\n"
	     "r9 = r3\n" "r9 &= 65535\n" END),
	BPF("a signed half word, network order, a 32-bit machine", call,
	     P(FIELD(R6, "s16"), FIELD(R7, "port"), FIELD(R8, "narrow"), EXIT),
	     "r3 = *(u64 *)(r1 +112)\n" "r6 = r3\n" "r6 <<= 48\n" "r6 s>>= 48\n" "r3 = *(u64 *)(r1 +112)\n"
	     "r7 = r3\n" "r7 &= 65535\n" "r7 = be16 r7\n" "r3 = *(u32 *)(r1 +112)\n" "r8 = r3\n" "w8 = w8\n"
	     END),
	BPF("through a pointer: a read that failed is 0", call,
	     P(FIELD(R6, "read"), EXIT),
	     "r3 = *(u64 *)(r1 +112)\n" "r3 += 16\n" "*(u64 *)(r10 -496) = 0\n" "r1 = r10\n" "r1 += -496\n"
	     "r2 = 4\n" "call probe_read_kernel\n" "r3 = *(u32 *)(r10 -496)\n" "r6 = r3\n" END),
	BPF("through two, the second of user space", call,
	     P(FIELD(R6, "chain"), EXIT),
	     "r3 = *(u64 *)(r1 +112)\n" "*(u64 *)(r10 -496) = 0\n" "r1 = r10\n" "r1 += -496\n" "r2 = 8\n"
	     "call probe_read_kernel\n" "r3 = *(u64 *)(r10 -496)\n" "r3 += 24\n" "*(u64 *)(r10 -496) = 0\n"
	     "r1 = r10\n" "r1 += -496\n" "r2 = 4\n" "call probe_read_user\n" "r3 = *(u32 *)(r10 -496)\n" "r6 = r3\n"
	     "r6 <<= 32\n" "r6 s>>= 32\n" END),
	BPF("one helper for both before 5.5", call,
	     P(FIELD(R6, "chain"), EXIT),
	     "r3 = *(u64 *)(r1 +112)\n" "*(u64 *)(r10 -496) = 0\n" "r1 = r10\n" "r1 += -496\n" "r2 = 8\n"
	     "call probe_read\n" "r3 = *(u64 *)(r10 -496)\n" "r3 += 24\n" "*(u64 *)(r10 -496) = 0\n" "r1 = r10\n"
	     "r1 += -496\n" "r2 = 4\n" "call probe_read\n" "r3 = *(u32 *)(r10 -496)\n" "r6 = r3\n" "r6 <<= 32\n"
	     "r6 s>>= 32\n" END, .without = "probe_read_user"),
	BPF("PEEK: what can't be read is 0", call,
	     P(BPF_MOV64_IMM(R8, 5), PEEK(R7, R8, "dentry.d_parent"), EXIT),
	     "r8 = 5\n" "r3 = r8\n" "r3 += 24\n" "*(u64 *)(r10 -496) = 0\n" "r1 = r10\n" "r1 += -496\n" "r2 = 8\n"
	     "call probe_read_kernel\n" "r7 = *(u64 *)(r10 -496)\n" END),
	BPF("FIELD_OR: elsewhere if it can not be read", call,
	     P(FIELD_OR(R6, "chain", "fault"), EXIT, LABEL("fault"), BPF_MOV64_IMM(R0, 7), BPF_EXIT_INSN()),
	     "r3 = *(u64 *)(r1 +112)\n" "*(u64 *)(r10 -496) = 0\n" "r1 = r10\n" "r1 += -496\n" "r2 = 8\n"
	     "call probe_read_kernel\n" "if r0 != 0x0 goto pc+14\n" "r3 = *(u64 *)(r10 -496)\n" "r3 += 24\n"
	     "*(u64 *)(r10 -496) = 0\n" "r1 = r10\n" "r1 += -496\n" "r2 = 4\n" "call probe_read_user\n"
	     "if r0 != 0x0 goto pc+6\n" "r3 = *(u32 *)(r10 -496)\n" "r6 = r3\n" "r6 <<= 32\n" "r6 s>>= 32\n"
	     END "r0 = 7\n" "exit\n"),
	RING("FIELD_OR of a record never fails", record,
	     P(FIELD_OR(R6, "u32", "fault"), LABEL("fault"), EXIT),
	     "r6 = *(u32 *)record[16]\n" END),

	/* Who is current. */
	BOTH("identity", record,
	     P(FIELD(R6, "time"), FIELD(R6, "cpu"), FIELD(R6, "pid_tgid"), FIELD(R6, "tid"), FIELD(R6, "tgid"),
	     EXIT),
	     "call ktime_get_ns\n" "r6 = r0\n" "call get_smp_processor_id\n" "r6 = r0\n"
	     "call get_current_pid_tgid\n" "r6 = r0\n" "call get_current_pid_tgid\n" "w6 = w0\n"
	     "call get_current_pid_tgid\n" "r6 = r0\n" "r6 >>= 32\n" END),
	BPF("uid", record,
	     P(FIELD(R6, "uid"), EXIT),
	     "call get_current_uid_gid\n" "w6 = w0\n" END),
	BPF("gid", record,
	     P(FIELD(R6, "gid"), EXIT),
	     "call get_current_uid_gid\n" "r6 = r0\n" "r6 >>= 32\n" END),
	RING("no uid in the rings", pointer,
	     P(FIELD(R6, "uid?"), EXIT),
	     "r6 = 0\n" END),
	BPF("comm", record,
	     P(BYTES_AT(-16, "comm", 16), EXIT),
	     "*(u64 *)(r10 -16) = 0\n" "*(u64 *)(r10 -8) = 0\n" "r1 = r10\n" "r1 += -16\n" "r2 = 16\n"
	     "call get_current_comm\n" END),
	RING("comm", record,
	     P(BYTES_AT(-16, "comm", 16), EXIT),
	     "r1 = r10 -16\n" "r2 = 16\n" "call get_current_comm\n" END),

	/* Bytes: loads that are aligned on both sides; the machine loads at any alignment of the record. */
	BPF("bytes", record,
	     P(BYTES_AT(-16, "bytes", 16), EXIT),
	     "r0 = *(u32 *)(r1 +60)\n" "*(u32 *)(r10 -16) = r0\n" "r0 = *(u32 *)(r1 +64)\n"
	     "*(u32 *)(r10 -12) = r0\n" "r0 = *(u32 *)(r1 +68)\n" "*(u32 *)(r10 -8) = r0\n" "r0 = *(u32 *)(r1 +72)\n"
	     "*(u32 *)(r10 -4) = r0\n" END),
	RING("bytes", record,
	     P(BYTES_AT(-16, "bytes", 16), EXIT),
	     "r0 = *(u64 *)record[60]\n" "*(u64 *)(r10 -16) = r0\n" "r0 = *(u64 *)record[68]\n"
	     "*(u64 *)(r10 -8) = r0\n" END),
	BPF("fewer than there are", record,
	     P(BYTES_AT(-8, "bytes", 3), EXIT),
	     "r0 = *(u16 *)(r1 +60)\n" "*(u16 *)(r10 -8) = r0\n" "r0 = *(u8 *)(r1 +62)\n" "*(u8 *)(r10 -6) = r0\n"
	     END),
	RING("fewer than there are", record,
	     P(BYTES_AT(-8, "bytes", 3), EXIT),
	     "r0 = *(u16 *)record[60]\n" "*(u16 *)(r10 -8) = r0\n" "r0 = *(u8 *)record[62]\n"
	     "*(u8 *)(r10 -6) = r0\n" END),
	BPF("more than there are: zeros behind", record,
	     P(BYTES_AT(-16, "odd", 8), EXIT),
	     "*(u8 *)(r10 -11) = 0\n" "*(u16 *)(r10 -10) = 0\n" "r0 = *(u8 *)(r1 +77)\n" "*(u8 *)(r10 -16) = r0\n"
	     "r0 = *(u8 *)(r1 +78)\n" "*(u8 *)(r10 -15) = r0\n" "r0 = *(u8 *)(r1 +79)\n" "*(u8 *)(r10 -14) = r0\n"
	     "r0 = *(u8 *)(r1 +80)\n" "*(u8 *)(r10 -13) = r0\n" "r0 = *(u8 *)(r1 +81)\n" "*(u8 *)(r10 -12) = r0\n"
	     END),
	RING("more than there are: zeros behind", record,
	     P(BYTES_AT(-16, "odd", 8), EXIT),
	     "zero r10 -11, 3 bytes\n" "r0 = *(u32 *)record[77]\n"
	     "*(u32 *)(r10 -16) = r0\n" "r0 = *(u8 *)record[81]\n" "*(u8 *)(r10 -12) = r0\n" END),
	BPF("bytes of memory", call,
	     P(BYTES_AT(-16, "memory", 16), EXIT),
	     "*(u32 *)(r10 -4) = 0\n" "*(u64 *)(r10 -16) = 0\n" "*(u32 *)(r10 -8) = 0\n" "r3 = *(u64 *)(r1 +104)\n"
	     "r3 += 24\n" "r1 = r10\n" "r1 += -16\n" "r2 = 12\n" "call probe_read_user\n" END),

	/* Texts. */
	BPF("a pointer of the record", pointer,
	     P(STRING(R6, "text"), EXIT),
	     "r6 = *(u64 *)(r1 +24)\n" END),
	BPF("a text in the record", record,
	     P(STRING(R6, "text"), EXIT),
	     "r0 = *(u32 *)(r1 +40)\n" "r0 &= 65535\n" "r2 = r1\n" "r2 += r0\n" "r6 = r2\n" END),
	RING("texts in the record", record,
	     P(STRING(R6, "text"), STRING(R7, "array"), EXIT),
	     "r1 = 40\n" "call string_loc\n" "r6 = r0\n" "r1 = 44\n" "r2 = 16\n" "call string_array\n" "r7 = r0\n"
	     END),
	BPF("a pointer in a register, or behind one", call,
	     P(STRING(R6, "text"), STRING(R7, "path"), EXIT),
	     "r3 = *(u64 *)(r1 +104)\n" "r6 = r3\n" "r3 = *(u64 *)(r1 +104)\n" "*(u64 *)(r10 -496) = 0\n"
	     "r1 = r10\n" "r1 += -496\n" "r2 = 8\n" "call probe_read_kernel\n" "r3 = *(u64 *)(r10 -496)\n"
	     "r7 = r3\n" "r7 += 8\n" END),
	BPF("a pointer the program has already", call,
	     P(STRING_AT(R7, "path", R6), EXIT),
	     "r7 = r6\n" END),
	RING("texts that come in parts", record,
	     P(STRING(R6, "second"), STRING(R7, "first"), EXIT),
	     "r1 = 1\n" "call string_part\n" "r6 = r0\n" "r1 = 0\n" "call string_part\n" "r7 = r0\n" END),
	BOTH("a text another event brings", record,
	     P(STRING(R6, "none"), EXIT),
	     "r6 = 0\n" END),
	BPF("reading: one helper for each kind of memory", pointer,
	     P(READ_USER_STRING_AT(-32, 32, R6), READ_KERNEL_STRING_AT(-32, 32, R6), EXIT),
	     "r3 = r6\n" "r1 = r10\n" "r1 += -32\n" "r2 = 32\n" "call probe_read_user_str\n" "r3 = r6\n" "r1 = r10\n"
	     "r1 += -32\n" "r2 = 32\n" "call probe_read_kernel_str\n" END),
	BPF("from 4.11", pointer,
	     P(READ_USER_STRING_AT(-32, 32, R6), EXIT),
	     "r3 = r6\n" "r1 = r10\n" "r1 += -32\n" "r2 = 32\n" "call probe_read_str\n" END,
	     .without = "probe_read_user"),
	BPF("before: by tries, each half as long; an empty one is as long as its end", pointer,
	     P(READ_USER_STRING_AT(-40, 36, R6), EXIT),
	     "*(u64 *)(r10 -496) = r6\n" "*(u64 *)(r10 -40) = 0\n" "*(u64 *)(r10 -32) = 0\n"
	     "*(u64 *)(r10 -24) = 0\n" "*(u64 *)(r10 -16) = 0\n" "*(u32 *)(r10 -8) = 0\n" "r1 = r10\n" "r1 += -40\n"
	     "r2 = 35\n" "r3 = *(u64 *)(r10 -496)\n" "call probe_read\n" "if r0 != 0x0 goto pc+2\n" "r0 = 35\n"
	     "goto pc+10\n" "r1 = r10\n" "r1 += -40\n" "r2 = 17\n" "r3 = *(u64 *)(r10 -496)\n" "call probe_read\n"
	     "if r0 != 0x0 goto pc+2\n" "r0 = 17\n" "goto pc+2\n" "r0 = -14\n" "goto pc+3\n"
	     "r3 = *(u8 *)(r10 -40)\n" "if r3 != 0x0 goto pc+1\n" "r0 = 1\n" END,
	     .without = "probe_read_user,probe_read_str"),
	RING("reading a handle", record,
	     P(READ_USER_STRING_AT(-32, 32, R6), EXIT),
	     "r3 = r6\n" "r1 = r10 -32\n" "r2 = 32\n" "call read_string\n" END),

	/* Jumps that came with 4.14. */
	BPF("less than a number: round a goto", record,
	     P(FIELD(R6, "u64"), JUMP_IF(BPF_JLT, R6, 5, "x"), BPF_MOV64_IMM(R7, 1), LABEL("x"), EXIT),
	     "r6 = *(u64 *)(r1 +24)\n" "if r6 >= 0x5 goto pc+1\n" "goto pc+1\n" "r7 = 1\n" END),
	BPF("less than a register: both swapped", record,
	     P(FIELD(R6, "u64"), JUMP_IF_REG(BPF_JSLE, R6, R6, "x"), BPF_MOV64_IMM(R7, 1), LABEL("x"), EXIT),
	     "r6 = *(u64 *)(r1 +24)\n" "if r6 s>= r6 goto pc+1\n" "r7 = 1\n" END),
	RING("less", record,
	     P(FIELD(R6, "u64"), JUMP_IF(BPF_JLE, R6, 5, "x"), JUMP_IF_REG(BPF_JSLT, R6, R6, "x"), LABEL("x"), EXIT),
	     "r6 = *(u64 *)record[24]\n" "if r6 <= 0x5 goto pc+1\n" "if r6 s< r6 goto pc+0\n" END),

	/* Maps. */
	BPF("maps", record,
	     P(LOOKUP_AT("hash", -8), UPDATE_AT("hash", -8, -16, BPF_NOEXIST), DELETE_AT("hash", -8), EXIT),
	     "r1 = map[1]\n" "r2 = r10\n" "r2 += -8\n" "call map_lookup_elem\n"
	     "r1 = map[1]\n" "r2 = r10\n" "r2 += -8\n" "r3 = r10\n" "r3 += -16\n" "r4 = 1\n" "call map_update_elem\n"
	     "r1 = map[1]\n" "r2 = r10\n" "r2 += -8\n" "call map_delete_elem\n" END),
	RING("maps", record,
	     P(LOOKUP_AT("hash", -8), UPDATE_AT("hash", -8, -16, BPF_NOEXIST), DELETE_AT("hash", -8), EXIT),
	     "r0 = &map[1][*(r10 -8)]\n" "r0 = map[1][*(r10 -8)] = *(r10 -16) if new\n"
	     "r0 = delete map[1][*(r10 -8)]\n" END),
	BPF("adding to an array that all CPUs share", record,
	     P(ADD_AT("array", -8, R6), EXIT),
	     "r1 = map[6]\n" "r2 = r10\n" "r2 += -8\n" "call map_lookup_elem\n" "if r0 == 0x0 goto pc+1\n"
	     "lock *(u64 *)(r0 +0) += r6\n" END),
	BPF("adding to an array of each CPU", record,
	     P(ADD_AT("percpu", -8, R0), EXIT),
	     "r1 = map[7]\n" "r2 = r10\n" "r2 += -8\n" "call map_lookup_elem\n" "if r0 == 0x0 goto pc+3\n"
	     "r1 = *(u64 *)(r0 +0)\n" "r1 += 1\n" "*(u64 *)(r0 +0) = r1\n" END),
	BPF("adding to an array of each CPU from a uprobe, which is preempted", record,
	     P(ADD_AT("percpu", -8, R6), EXIT),
	     "r1 = map[7]\n" "r2 = r10\n" "r2 += -8\n" "call map_lookup_elem\n" "if r0 == 0x0 goto pc+1\n"
	     "lock *(u64 *)(r0 +0) += r6\n" END, .kind = EVENT_UPROBE),
	BPF("adding to an array where none is of each CPU", record,
	     P(ADD_AT("percpu", -8, R6), EXIT),
	     "r1 = map[7]\n" "r2 = r10\n" "r2 += -8\n" "call map_lookup_elem\n" "if r0 == 0x0 goto pc+1\n"
	     "lock *(u64 *)(r0 +0) += r6\n" END, .without = "percpu-maps"),
	BPF("adding to a hash, whose keys come into being", record,
	     P(ADD_AT("hash", -8, R6), EXIT),
	     "r1 = map[1]\n" "r2 = r10\n" "r2 += -8\n" "call map_lookup_elem\n" "if r0 != 0x0 goto pc+26\n"
	     "*(u64 *)(r10 -496) = r6\n" "r1 = map[1]\n" "r2 = r10\n" "r2 += -8\n" "r3 = r10\n" "r3 += -496\n"
	     "r4 = 1\n" "call map_update_elem\n" "if r0 == 0x0 goto pc+17\n" "r1 = map[1]\n" "r2 = r10\n"
	     "r2 += -8\n" "call map_lookup_elem\n" "if r0 != 0x0 goto pc+10\n" "*(u32 *)(r10 -504) = 2\n"
	     "r1 = map[0]\n" "r2 = r10\n" "r2 += -504\n" "call map_lookup_elem\n" "if r0 == 0x0 goto pc+2\n"
	     "r1 = 1\n" "lock *(u64 *)(r0 +0) += r1\n" "goto pc+1\n" "lock *(u64 *)(r0 +0) += r6\n" END),
	RING("adding", record,
	     P(ADD_AT("hash", -8, R6), ADD_AT("percpu", -8, R0), EXIT),
	     "map[1][*(r10 -8)] += r6\n" "map[7][*(r10 -8)]++\n" END),

	/* Memory and numbers. */
	BPF("copies and zeros: as wide as both sides are aligned", record,
	     P(COPY_AT(R10, -24, R10, -12, 12), ZERO_AT(-13, 13), EXIT),
	     "r1 = *(u32 *)(r10 -12)\n" "*(u32 *)(r10 -24) = r1\n" "r1 = *(u32 *)(r10 -8)\n" "*(u32 *)(r10 -20) = r1\n"
	     "r1 = *(u32 *)(r10 -4)\n" "*(u32 *)(r10 -16) = r1\n" "*(u8 *)(r10 -13) = 0\n" "*(u32 *)(r10 -12) = 0\n"
	     "*(u64 *)(r10 -8) = 0\n" END),
	RING("copies and zeros", record,
	     P(COPY_AT(R10, -24, R0, 4, 12), ZERO_AT(-13, 13), LOG2(R7, R6), EXIT),
	     "copy r10 -24, r0 +4, 12 bytes\n" "zero r10 -13, 13 bytes\n" "r7 = log2 slot of r6\n" END),
	BPF("the slot of a histogram", record,
	     P(LOG2(R7, R6), EXIT),
	     "r1 = r6\n" "r7 = 0\n"
	     "r3 = r1\n" "r3 >>= 35\n" "if r3 == 0x0 goto pc+2\n" "r1 >>= 32\n" "r7 += 256\n"
	     "r3 = 524287\n" "if r3 >= r1 goto pc+2\n" "r1 >>= 16\n" "r7 += 128\n"
	     "r3 = 2047\n" "if r3 >= r1 goto pc+2\n" "r1 >>= 8\n" "r7 += 64\n"
	     "r3 = 127\n" "if r3 >= r1 goto pc+2\n" "r1 >>= 4\n" "r7 += 32\n"
	     "r3 = 31\n" "if r3 >= r1 goto pc+2\n" "r1 >>= 2\n" "r7 += 16\n"
	     "r3 = 15\n" "if r3 >= r1 goto pc+2\n" "r1 >>= 1\n" "r7 += 8\n"
	     "r7 += r1\n" END),

	/* Options, constants, and what JUMP_UNLESS leaves out. */
	BOTH("constants", record,
	     P(CONST(R1, "on"), CONST(R2, "mask"), CONST(R3, "negative"), CONST(R4, "hook:other"), EXIT),
	     "r1 = 1\n" "r2 = 0x123456789\n" "r3 = -1\n" "r4 = 1\n" END),
	BOTH("JUMP_UNLESS an option that is off", record,
	     P(JUMP_UNLESS("off", "x"), BPF_MOV64_IMM(R6, 1), LABEL("x"), BPF_MOV64_IMM(R7, 2), EXIT),
	     "r7 = 2\n" END),
	BOTH("JUMP_UNLESS one that is on", record,
	     P(JUMP_UNLESS("on", "x"), BPF_MOV64_IMM(R6, 1), LABEL("x"), BPF_MOV64_IMM(R7, 2), EXIT),
	     "r6 = 1\n" "r7 = 2\n" END),
	BOTH("either this or that", record,
	     P(JUMP_UNLESS("on", "else"), BPF_MOV64_IMM(R6, 1), JUMP("x"), LABEL("else"), BPF_MOV64_IMM(R6, 2),
	     LABEL("x"), EXIT),
	     "r6 = 1\n" END),
	BOTH("either that or this", record,
	     P(JUMP_UNLESS("off", "else"), BPF_MOV64_IMM(R6, 1), JUMP("x"), LABEL("else"), BPF_MOV64_IMM(R6, 2),
	     LABEL("x"), EXIT),
	     "r6 = 2\n" END),
	BOTH("what only the left out jumps to goes as well", record,
	     P(JUMP_UNLESS("off", "x"), JUMP_IF(BPF_JEQ, R1, 0, "y"), JUMP("x"), LABEL("y"), BPF_MOV64_IMM(R6, 1),
	     LABEL("x"), EXIT),
	     END),
	BOTH("JUMP_UNLESS an input is had here", record,
	     P(JUMP_UNLESS("input:u32", "x"), BPF_MOV64_IMM(R6, 1), LABEL("x"), JUMP_UNLESS("input:nowhere", "y"),
	     BPF_MOV64_IMM(R6, 2), LABEL("y"), EXIT),
	     "r6 = 1\n" END),
	BOTH("a jump goes to the nearest label below", record,
	     P(JUMP_IF(BPF_JEQ, R1, 1, ".x"), BPF_MOV64_IMM(R6, 1), LABEL(".x"), JUMP_IF(BPF_JEQ, R1, 2, ".x"),
	     BPF_MOV64_IMM(R6, 2), LABEL(".x"), EXIT),
	     "if r1 == 0x1 goto pc+1\n" "r6 = 1\n" "if r1 == 0x2 goto pc+1\n" "r6 = 2\n" END),
	BOTH("a jump to what follows is none", record,
	     P(JUMP("x"), LABEL("x"), EXIT),
	     END),
	BOTH("behind the end nothing is emitted", record,
	     P(EXIT, BPF_MOV64_IMM(R6, 1), LABEL("nobody"), BPF_MOV64_IMM(R6, 2)),
	     END),
	BOTH("registers compared", record,
	     P(JUMP_IF_REG(BPF_JSGT, R6, R7, "x"), JUMP_IF_REG(BPF_JSET, R6, R8, "x"), BPF_MOV64_IMM(R6, 1),
	     LABEL("x"), EXIT),
	     "if r6 s> r7 goto pc+2\n" "if r6 & r8 goto pc+1\n" "r6 = 1\n" END),

	/* Maps and records. */
	BOTH("a map", record,
	     P(MAP(R1, "events"), EXIT),
	     "r1 = map[2]\n" END),
	BPF("output to a ring buffer: wake up when a quarter is full", record,
	     P(OUTPUT_AT("events", -16, 16), EXIT),
	     "r1 = map[2]\n" "r2 = 0\n" "call ringbuf_query\n" "r4 = 1\n" "if r0 > 0x11000 goto pc+3\n" "r4 = 2\n" "if r0 > 0x10000 goto pc+1\n" "r4 = 1\n"
	     "r1 = map[2]\n" "r2 = r10\n" "r2 += -16\n" "r3 = 16\n" "call ringbuf_output\n"
	     "if r0 == 0x0 goto pc+9\n" "*(u32 *)(r10 -504) = 1\n" "r1 = map[0]\n" "r2 = r10\n" "r2 += -504\n"
	     "call map_lookup_elem\n" "if r0 == 0x0 goto pc+2\n" "r1 = 1\n" "lock *(u64 *)(r0 +0) += r1\n" END),
	BPF("output to perf rings", record,
	     P(OUTPUT_AT("events", -16, 16), EXIT),
	     "r9 = r1\n" "call get_smp_processor_id\n" "r3 = r0\n" "r1 = r9\n" "r2 = map[2]\n" "r4 = r10\n"
	     "r4 += -16\n" "r5 = 16\n" "call perf_event_output\n" "if r0 == 0x0 goto pc+9\n"
	     "*(u32 *)(r10 -504) = 1\n" "r1 = map[0]\n" "r2 = r10\n" "r2 += -504\n" "call map_lookup_elem\n"
	     "if r0 == 0x0 goto pc+2\n" "r1 = 1\n" "lock *(u64 *)(r0 +0) += r1\n" END, .without = "ringbuf"),
	RING("output", record,
	     P(OUTPUT_AT("events", -16, 16), EXIT),
	     "r1 = map[2]\n" "r2 = r10 -16\n" "r3 = 16\n" "call output\n" END),
	BPF("a full map is counted", record,
	     P(COUNT_FULL, EXIT),
	     "*(u32 *)(r10 -504) = 2\n" "r1 = map[0]\n" "r2 = r10\n" "r2 += -504\n" "call map_lookup_elem\n"
	     "if r0 == 0x0 goto pc+2\n" "r1 = 1\n" "lock *(u64 *)(r0 +0) += r1\n" END),
	RING("a full map is counted", record,
	     P(COUNT_FULL, EXIT),
	     "call count_full\n" END),
	BPF("epoch", record,
	     P(EPOCH(R6), EXIT),
	     "*(u32 *)(r10 -504) = 0\n" "r1 = map[0]\n" "r2 = r10\n" "r2 += -504\n" "call map_lookup_elem\n"
	     "if r0 == 0x0 goto pc+1\n" "r0 = *(u64 *)(r0 +0)\n" "r6 = r0\n" END),
	RING("epoch", record,
	     P(EPOCH(R6), EXIT),
	     "r6 = 0\n" END),

	/* The filter. */
	BOTH("nothing asked for, sonde not known", record,
	     P(FIELD(R6, "pid_tgid"), FILTER(R6), EXIT),
	     "call get_current_pid_tgid\n" "r6 = r0\n" END),
	BOTH("not sonde itself", record,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "r0 = r6\n" "r0 >>= 32\n" "if r0 == 0x9 goto pc+3\n" "r7 = 3\n" END END, .filter = { .self = 9 }),
	BPF("one process: not compared with sonde", record,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "r0 = r6\n" "r0 >>= 32\n" "r1 = 5\n" "if r0 != r1 goto pc+3\n" "r7 = 3\n" END END,
	     .filter = { .self = 9, .tgids = one, .n_tgids = 1 }),
	RING("one process, or a task that may be of it", record,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "if r6 s>= 0x0 goto pc+2\n" "call count_unknown\n" "goto pc+7\n"
	     "r0 = r6\n" "r0 >>= 32\n" "r1 = 5\n" "if r0 != r1 goto pc+3\n" "r7 = 3\n" END END,
	     .filter = { .self = 9, .tgids = one, .n_tgids = 1 }),
	BPF("one of two", record,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "r0 = r6\n" "r0 >>= 32\n" "*(u32 *)(r10 -504) = r0\n" "r1 = map[3]\n" "r2 = r10\n" "r2 += -504\n"
	     "call map_lookup_elem\n" "if r0 == 0x0 goto pc+3\n" "r7 = 3\n" END END,
	     .filter = { .self = 9, .tgids = two, .n_tgids = 2 }),
	RING("one of two", record,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "if r6 s>= 0x0 goto pc+2\n" "call count_unknown\n" "goto pc+8\n"
	     "r0 = r6\n" "r0 >>= 32\n" "*(u32 *)(r10 -504) = r0\n" "r0 = &map[3][*(r10 -504)]\n"
	     "if r0 == 0x0 goto pc+3\n" "r7 = 3\n" END END, .filter = { .self = 9, .tgids = two, .n_tgids = 2 }),
	BOTH("one thread, not of sonde", record,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "r0 = r6\n" "r0 >>= 32\n" "if r0 == 0x9 goto pc+6\n" "w0 = w6\n" "r1 = 5\n" "if r0 != r1 goto pc+3\n"
	     "r7 = 3\n" END END, .filter = { .self = 9, .tids = one, .n_tids = 1 }),
	BPF("a command and its children", record,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "r0 = r6\n" "r0 >>= 32\n" "*(u32 *)(r10 -504) = r0\n" "r1 = map[5]\n" "r2 = r10\n" "r2 += -504\n"
	     "call map_lookup_elem\n" "if r0 == 0x0 goto pc+3\n" "r7 = 3\n" END END,
	     .filter = { .self = 9, .family = true }),
	RING("a command and its children", record,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "if r6 s>= 0x0 goto pc+2\n" "call count_unknown\n" "goto pc+8\n"
	     "r0 = r6\n" "r0 >>= 32\n" "*(u32 *)(r10 -504) = r0\n" "r0 = &map[5][*(r10 -504)]\n"
	     "if r0 == 0x0 goto pc+3\n" "r7 = 3\n" END END, .filter = { .self = 9, .family = true }),
	BPF("a user", record,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "call get_current_uid_gid\n" "w0 = w0\n" "r1 = 5\n" "if r0 != r1 goto pc+3\n" "r7 = 3\n" END END,
	     .filter = { .uids = one, .n_uids = 1 }),
	BPF("a user id beyond 2^31", record,
	     P(FILTER(R6), BPF_MOV64_IMM(R7, 3), EXIT),
	     "call get_current_uid_gid\n" "w0 = w0\n" "r1 = 0x80000005\n" "if r0 != r1 goto pc+3\n" "r7 = 3\n"
	     END END, .filter = { .uids = high, .n_uids = 1 }),
};

static struct kernel *kernel(const char *without)
{
	struct error err = { };
	struct kernel *k = kernel_snapshot(KERNELS "/6.1", &err);

	ck_assert_msg(k != NULL, "%s", err.text);
	ck_assert_msg(!without || !kernel_without(k, without, &err), "%s", err.text);
	return k;
}

static unsigned int length(const struct insn *program)
{
	static const struct insn none;
	unsigned int n = ROOM;

	while (n && !memcmp(&program[n - 1], &none, sizeof(none)))
		n--;
	return n;
}

static int lower_it(struct kernel *k, enum target target, enum event_kind kind, const struct layout *layout,
		    const struct filter *filter, const struct insn *insns, struct lowered *out, struct error *err)
{
	const struct layout *const parts[] = { &other_part, &part };
	const struct program p = { .hook = "test.hook", .insns = insns, .n_insns = length(insns), .file = "test.c" };
	const struct lowering l = {
		.target = target, .kernel = k, .kind = kind, .layout = layout, .filter = filter, .options = options, .facts = facts,
		.maps = maps, .n_maps = COUNT_OF(maps), .n_parts = target == TARGET_RING ? 2 : 0, .parts = parts,
	};

	return lower(&p, &l, out, err);
}

static void print(char *text, size_t size, const struct lowered *l)
{
	size_t n = 0;

	for (unsigned int i = 0; i < l->n; i++) {
		disasm(&l->insns[i], text + n, size - n);
		n += strlen(text + n);
		text[n++] = '\n';
		i += l->insns[i].code == (BPF_LD | BPF_IMM | BPF_DW);
	}
	text[n] = '\0';
}

START_TEST(code)
{
	const struct row *row = &rows[_i];
	struct kernel *k = kernel(row->without);

	for (enum target target = TARGET_BPF; target <= TARGET_RING; target++) {
		struct lowered l;
		struct error err = { };
		char text[8192];

		if (!(row->targets & 1 << target))
			continue;
		ck_assert_msg(!lower_it(k, target, row->kind, row->layout, &row->filter, row->program, &l, &err), "%s: %s",
			      row->what, err.text);
		print(text, sizeof(text), &l);
		ck_assert_msg(!strcmp(text, row->code), "%s:\n%s", row->what, text);
		/* Each instruction knows where it came from, and they stand in that order. */
		for (unsigned int i = 1; i < l.n; i++)
			ck_assert_uint_ge(l.source[i], l.source[i - 1]);
		lowered_free(&l);
	}
	kernel_free(k);
}
END_TEST

/* What is wrong with a program is said with its hook, file and line. */
static const struct {
	enum target target;
	const struct layout *layout;
	struct insn program[ROOM];
	const char *says;
} broken[] = {
	{ TARGET_BPF, &record, { MAP(R1, "nowhere"), EXIT }, "program test.hook (test.c): there is no map nowhere" },
	{ TARGET_RING, &record, { OUTPUT_AT("nowhere", -8, 8), EXIT }, "there is no map nowhere" },
	{ TARGET_BPF, &record, { JUMP("nowhere"), EXIT }, "nothing below is labelled nowhere" },
	{ TARGET_BPF, &record, { LABEL("above"), JUMP_IF(BPF_JEQ, R1, 0, "above"), EXIT },
	  "nothing below is labelled above" },
	{ TARGET_BPF, &record, { JUMP_UNLESS("on", "nowhere"), EXIT }, "nothing below is labelled nowhere" },
	{ TARGET_BPF, &record, { JUMP_UNLESS("off", "nowhere"), EXIT }, "nothing below is labelled nowhere" },
	{ TARGET_BPF, &call, { FIELD_OR(R6, "read", "nowhere"), EXIT }, "nothing below is labelled nowhere" },
	{ TARGET_BPF, &record, { CONST(R1, "nowhere"), EXIT }, "there is no constant nowhere" },
	{ TARGET_BPF, &record, { SYMBOLIC(SYM_JUMP_UNLESS, "on", 0, 0, 0, 0), EXIT }, "nowhere to go without on" },
	{ TARGET_BPF, &record, { JUMP_UNLESS("nowhere", "x"), LABEL("x"), EXIT }, "there is no option nowhere" },
	{ TARGET_BPF, &record, { FIELD(R1, "nowhere"), EXIT }, "this event has no input nowhere" },
	{ TARGET_RING, &record, { PEEK(R1, R1, "dentry.d_parent"), EXIT }, "only BPF programs can follow dentry.d_parent" },
	{ TARGET_BPF, &record, { PEEK(R1, R1, "dentry.d_nothing"), EXIT }, "offset of dentry.d_nothing is not known" },
	{ TARGET_RING, &pointer, { FIELD(R1, "uid"), EXIT }, "this event has no input uid" },
	{ TARGET_BPF, &record, { FIELD(R1, "comm"), EXIT }, "not a number: comm" },
	{ TARGET_BPF, &record, { BYTES_AT(-8, "tid", 8), EXIT }, "not bytes: tid" },
	{ TARGET_BPF, &record, { STRING(R1, "comm"), EXIT }, "not a text: comm" },
	{ TARGET_BPF, &record, { BYTES_AT(-8, "nowhere", 8), EXIT }, "this event has no input nowhere" },
	{ TARGET_BPF, &record, { STRING(R1, "nowhere"), EXIT }, "this event has no input nowhere" },
	{ TARGET_BPF, &record, { FIELD(R1, "bytes"), EXIT }, "not a number: bytes" },
	{ TARGET_RING, &record, { FIELD(R1, "text"), EXIT }, "not a number: text" },
	{ TARGET_BPF, &record, { BYTES_AT(-8, "small", 8), EXIT }, "not bytes: small" },
	{ TARGET_RING, &call, { STRING(R1, "text"), EXIT }, "no text in the record for text" },
};

START_TEST(says_what_is_wrong)
{
	static const struct filter nothing;
	struct kernel *k = kernel(NULL);
	struct lowered l;
	struct error err = { };

	ck_assert_msg(lower_it(k, broken[_i].target, EVENT_TRACEPOINT, broken[_i].layout, &nothing, broken[_i].program,
			       &l, &err),
		      "%s: lowered", broken[_i].says);
	ck_assert_msg(strstr(err.text, broken[_i].says) != NULL, "%s", err.text);
	ck_assert_ptr_null(l.insns);
	kernel_free(k);
}
END_TEST

/* A program that no kernel before 5.2 takes is refused here, with its length. */
START_TEST(too_long)
{
	static const struct insn one_more = BPF_MOV64_IMM(R6, 1), end[] = { EXIT };
	static struct insn insns[4098];
	struct program p = { .hook = "test.hook", .insns = insns, .file = "test.c" };
	struct kernel *k = kernel(NULL);
	struct lowering l = { .target = TARGET_BPF, .kernel = k, .layout = &record };
	struct lowered out;
	struct error err = { };

	for (int i = 0; i < 4098; i++)
		insns[i] = one_more;
	memcpy(insns + 4094, end, sizeof(end));
	p.n_insns = 4096;
	ck_assert_msg(!lower(&p, &l, &out, &err), "%s", err.text);
	ck_assert_uint_eq(out.n, 4096);
	lowered_free(&out);
	insns[4094] = one_more;
	memcpy(insns + 4095, end, sizeof(end));
	p.n_insns = 4097;
	ck_assert_int_eq(lower(&p, &l, &out, &err), -1);
	ck_assert_str_eq(err.text, "program test.hook comes to 4097 instructions here, more than the 4096 that kernels "
			 "before 5.2 take");
	kernel_free(k);
}
END_TEST

/* Which inputs a program asks of its hook: those these options leave in, as often as they come. */
static const struct insn asking[] = {
	FIELD(R6, "always"),
	JUMP_UNLESS("off", "x"),
	FIELD(R6, "never"),
	LABEL("y"),
	BYTES_AT(-8, "nor this", 8),
	LABEL("x"),
	JUMP_UNLESS("on", "z"),
	BYTES_AT(-8, "bytes", 8),
	LABEL("z"),
	JUMP_UNLESS("hook:later", "end"),	/* a fact of the kernel: not known yet */
	STRING(R6, "text?"),
	FIELD(R6, "always"),
	LABEL("end"),
	EXIT,
};

static void list_input(void *arg, const char *name, enum input_kind kind)
{
	size_t n = strlen(arg);

	snprintf((char *)arg + n, 200 - n, "%s:%d ", name, kind);
}

START_TEST(asks_for_inputs)
{
	const struct program p = PROGRAM("test.hook", asking);
	char list[200] = "";

	program_inputs(&p, options, list_input, list);
	ck_assert_str_eq(list, "always:0 bytes:1 text?:2 always:0 ");
}
END_TEST

Suite *suite_lower(void)
{
	Suite *s = suite_create("lower");

	add_tests(s, "code", code, COUNT_OF(rows));
	add_tests(s, "errors", says_what_is_wrong, COUNT_OF(broken));
	add_tests(s, "too long", too_long, 1);
	add_tests(s, "inputs", asks_for_inputs, 1);
	return s;
}
