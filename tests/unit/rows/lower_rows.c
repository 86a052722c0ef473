// SPDX-License-Identifier: GPL-2.0
#include "tests/unit/rows/lower_rows.h"

#include <string.h>

#include "insns/lower/disasm.h"
#include "tests/unit/helpers/plain.h"
#include "tests/unit/unit.h"

static const struct map maps[] = {
	{ MAP_STATE, MAP_ARRAY, ROLE_TABLE, 4, 8, STATE_SLOTS },
	{ "hash", MAP_HASH, ROLE_JOIN, 4, 8, 100 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0 },
	{ MAP_TGIDS, MAP_HASH, ROLE_TABLE, 4, 4, 2 },
	{ MAP_TIDS, MAP_HASH, ROLE_TABLE, 4, 4, 2 },
	{ MAP_FAMILY, MAP_HASH, ROLE_TABLE, 4, 8, 16 },
	{ "array", MAP_ARRAY, ROLE_RESULT, 4, 8, 16 },
	{ "percpu", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, 16 },
	{ "runs", MAP_HASH, ROLE_RESULT, 16, 8, 100, .run = "run" },
	{ "run", MAP_PERCPU_ARRAY, ROLE_TABLE, 4, 24, EPOCHS },
	{ MAP_CALLERS, MAP_ARRAY, ROLE_TABLE, 4, 8, CALLERS },
	{ "cgroup", MAP_CGROUP, ROLE_TABLE, 4, 4, 2 },
	{ "ids", MAP_HASH, ROLE_TABLE, 8, 4, 16 },
	{ MAP_EPOCH, MAP_ARRAY, ROLE_TABLE, 4, 8, 1 },
};

#define NUMBER(NAME, OFFSET, SIZE, SIGNED) \
	{ .name = NAME, .kind = INPUT_NUMBER, .place = PLACE_RECORD, .offset = (OFFSET), \
	  .size = (SIZE), .is_signed = (SIGNED) }
#define FIXED(NAME, VALUE) \
	{ .name = NAME, .kind = INPUT_NUMBER, .place = PLACE_CONSTANT, .value = (VALUE) }

#define WHO(NAME, ID) \
	{ .name = NAME, .place = PLACE_IDENTITY, .identity = IDENTITY_##ID, .size = 8 }

const struct layout lower_record = {
	.n_inputs = 26, .inputs = (struct input[]){
		NUMBER("u8", 8, 1, false), NUMBER("s8", 9, 1, true), NUMBER("u16", 10, 2, false),
		NUMBER("s16", 12, 2, true),
		NUMBER("u32", 16, 4, false), NUMBER("s32", 20, 4, true),
		NUMBER("u64", 24, 8, false), NUMBER("s64", 32, 8, true),
		NUMBER("far", 40000, 4, false), FIXED("small", -100), FIXED("large", 0x123456789),
		FIXED("none", 0),
		{ .name = "text", .kind = INPUT_STRING, .place = PLACE_DATA_LOC, .offset = 40,
		  .size = 4 },
		{ .name = "array", .kind = INPUT_STRING, .place = PLACE_RECORD, .offset = 44,
		  .size = 16 },
		{ .name = "bytes", .kind = INPUT_BYTES, .place = PLACE_RECORD, .offset = 60,
		  .size = 16 },
		{ .name = "odd", .kind = INPUT_BYTES, .place = PLACE_RECORD, .offset = 77,
		  .size = 5 },
		NUMBER("half", 92, 8, false),
		WHO("time", TIME), WHO("cpu", CPU), WHO("pid_tgid", PID_TGID), WHO("tid", TID),
		WHO("tgid", TGID), WHO("uid", UID), WHO("gid", GID),
		WHO("cgroup", CGROUP),
		{ .name = "comm", .kind = INPUT_BYTES, .place = PLACE_IDENTITY,
		  .identity = IDENTITY_COMM, .size = 16 },
	},
};

/* What a BPF program has of the same event: a pointer to the text. */
const struct layout lower_pointer = {
	.n_inputs = 1, .inputs = (struct input[]){
		{ .name = "text", .kind = INPUT_STRING, .place = PLACE_RECORD, .offset = 24,
		  .size = 8, .user = true },
	},
};

#define REGISTER(NAME, SIZE, SIGNED, ...) \
	{ .name = NAME, .kind = INPUT_NUMBER, .place = PLACE_REGISTER, .offset = 112, \
	  .size = (SIZE), .is_signed = (SIGNED), \
	  .register_size = 8, __VA_ARGS__ }

const struct layout lower_call = {
	.n_inputs = 14, .inputs = (struct input[]){
		REGISTER("u64", 8, false), REGISTER("s32", 4, true), REGISTER("u32", 4, false),
		REGISTER("u16", 2, false),
		REGISTER("s16", 2, true),
		REGISTER("read", 4, false, .derefs = 1, .deref = { { 16, 4, false } }),
		REGISTER("chain", 4, true, .derefs = 2,
			 .deref = { { 0, 8, false }, { 24, 4, true } }),
		REGISTER("port", 2, false, .network_order = true),
		{ .name = "narrow", .kind = INPUT_NUMBER, .place = PLACE_REGISTER, .offset = 112,
		  .size = 4, .register_size = 4 },
		{ .name = "text", .kind = INPUT_STRING, .place = PLACE_REGISTER, .offset = 104,
		  .register_size = 8, .user = true },
		{ .name = "path", .kind = INPUT_STRING, .place = PLACE_REGISTER, .offset = 104,
		  .register_size = 8, .derefs = 1, .deref = { { 0, 8, false } }, .value = 8 },
		{ .name = "memory", .kind = INPUT_BYTES, .place = PLACE_REGISTER, .offset = 104,
		  .register_size = 8, .size = 12, .value = 24, .user = true },
		{ .name = "caller", .kind = INPUT_NUMBER, .place = PLACE_CALLER, .size = 8,
		  .value = 32 },
		{ .name = "caller_here", .kind = INPUT_NUMBER, .place = PLACE_CALLER, .size = 8,
		  .value = -1 },
	},
};

#define ARGUMENT(NAME, ...) \
	{ .name = NAME, .place = PLACE_REGISTER, .offset = 8, .register_size = 8, .typed = true, \
	  __VA_ARGS__ }

/* Of a typed tracepoint. */
const struct layout lower_arguments = {
	.n_inputs = 5, .inputs = (struct input[]){
		ARGUMENT("pid", .kind = INPUT_NUMBER, .size = 4, .is_signed = true, .derefs = 1,
			 .deref = { { 1264, 4 } }),
		ARGUMENT("state", .kind = INPUT_NUMBER, .size = 8, .derefs = 1,
			 .deref = { { 24, 8 } }),
		ARGUMENT("task_comm", .kind = INPUT_BYTES, .size = 16, .value = 1756),
		ARGUMENT("name", .kind = INPUT_STRING, .derefs = 1, .deref = { { 80, 8 } }),
		{ .name = "number", .kind = INPUT_NUMBER, .place = PLACE_REGISTER, .offset = 24,
		  .register_size = 8, .size = 4 },
	},
};

/* Of a function whose type is known. */
const struct layout lower_function = {
	.n_inputs = 6, .inputs = (struct input[]){
		ARGUMENT("flags", .kind = INPUT_NUMBER, .size = 4, .derefs = 1, .pointer = true,
			 .deref = { { 64, 4 } }),
		ARGUMENT("dentry", .kind = INPUT_NUMBER, .size = 8, .derefs = 1, .pointer = true,
			 .deref = { { 24, 8 } }),
		{ .name = "file", .kind = INPUT_NUMBER, .place = PLACE_REGISTER, .offset = 8,
		  .register_size = 8, .size = 8, .pointer = true },
		{ .name = "result", .kind = INPUT_NUMBER, .place = PLACE_REGISTER, .offset = 16,
		  .register_size = 8, .size = 8, .pointer = true, .derefs = 1,
		  .deref = { { 4, 4 } } },
		{ .name = "sp", .kind = INPUT_NUMBER, .place = PLACE_CONTEXT, .size = 8 },
		ARGUMENT("path", .kind = INPUT_PATH, .derefs = 1, .deref = { { 24, 8 } },
			 .value = 64),
	},
};

#define CURRENT(NAME, ...) \
	{ .name = NAME, .kind = INPUT_NUMBER, .place = PLACE_CURRENT, .size = 4, \
	  .register_size = 8, __VA_ARGS__ }

const struct layout lower_current = {
	.n_inputs = 3, .inputs = (struct input[]){
		CURRENT("compat", .typed = true, .mask = 2, .derefs = 1, .deref = { { 16, 4 } }),
		CURRENT("mntns", .derefs = 2, .deref = { { 96, 8 }, { 24, 4 } }),
		CURRENT("pidns", .derefs = 3,
			.deref = { { 96, 8 }, { 104, 8, .index = 4, .entry = 16 }, { 24, 4 } }),
	},
};

static const struct layout part = {
	.n_inputs = 1, .inputs = (struct input[]){
		{ .name = "second", .kind = INPUT_STRING, .place = PLACE_DATA_LOC, .offset = 16,
		  .size = 4 },
	},
};
static const struct layout other_part = {
	.n_inputs = 1, .inputs = (struct input[]){
		{ .name = "first", .kind = INPUT_STRING, .place = PLACE_DATA_LOC, .offset = 16,
		  .size = 4 },
	},
};

const struct constant lower_options[] = {
	{ "on", 1 }, { "off", 0 }, { "mask", 0x123456789 }, { "negative", -1 }, { }
};
static const struct constant facts[] = {
	{ "hook:other", 1 }, { "on", 0 }, { "ring_wakeup", 65536 }, { }
};

struct kernel *lower_kernel(const char *without)
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
	unsigned int n = LOWER_ROOM;

	while (n && !memcmp(&program[n - 1], &none, sizeof(none)))
		n--;
	return n;
}

int lower_it(struct kernel *k, enum target target, const struct lower_row *row,
	     struct lowered *out, struct error *err)
{
	const struct layout *const parts[] = { &other_part, &part };
	const struct program p = {
		.hook = "test.hook", .insns = row->program, .n_insns = length(row->program),
		.file = "test.c",
	};
	const struct lowering l = {
		.target = target, .kernel = k, .kind = row->kind, .layout = row->layout,
		.filter = &row->filter, .options = lower_options, .facts = facts, .maps = maps,
		.n_maps = COUNT_OF(maps), .n_parts = target == TARGET_RING ? 2 : 0, .parts = parts,
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
void lower_check(const struct lower_row *row)
{
	struct kernel *k = lower_kernel(row->without);

	for (enum target target = TARGET_BPF; target <= TARGET_RING; target++) {
		struct lowered l;
		struct error err = { };
		char text[8192];

		if (!(row->targets & 1 << target))
			continue;
		ck_assert_msg(!lower_it(k, target, row, &l, &err), "%s: %s", row->what, err.text);
		print(text, sizeof(text), &l);
		ck_assert_msg(!strcmp(text, row->code), "%s:\n%s", row->what, text);
		/* Each instruction knows where it came from, and they are in that order. */
		for (unsigned int i = 1; i < l.n; i++)
			ck_assert_uint_ge(l.source[i], l.source[i - 1]);
		lowered_free(&l);
	}
	kernel_free(k);
}
