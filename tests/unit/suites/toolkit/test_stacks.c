// SPDX-License-Identifier: GPL-2.0
/* Stacks: what STACK makes of them in sonde's own machine, and what kernels are given. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "backends/stream/stream.h"
#include "compat/arch/arch.h"
#include "insns/hist.h"
#include "insns/lower/disasm.h"
#include "insns/programs/trace.h"
#include "insns/stack_mark.h"
#include "insns/verifier/check.h"
#include "src/lib/unwind/rows.h"
#include "src/run/options/tool_options.h"
#include "src/toolkit/stacks/stacks_internal.h"
#include "tests/unit/helpers/formats.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/unit.h"

Suite *suite_stacks(void);

struct switch_key {
	uint32_t epoch;
	int32_t kernel_stack, user_stack;
};

RECORD_LAYOUT(switch_key,
	FIELD_OF(switch_key, kernel_stack, STACK),
	FIELD_OF(switch_key, user_stack, STACK));

static const struct map maps[] = {
	{ "stacks", MAP_STACKS, ROLE_TABLE, 4, STACK_BYTES, 16384 },
	{ "counts", MAP_HASH, ROLE_RESULT, sizeof(struct switch_key), 8, 64,
	  .key = &switch_key_layout },
	{ }
};

struct frame {
	struct switch_key key;
};

static const struct insn on_switch[] = {
	STACK(R6, "kernel_stack"),
	SET(key.kernel_stack, R6),
	STACK(R6, "user_stack?"),
	SET(key.user_stack, R6),
	SET_EPOCH(key.epoch),
	COUNT("counts", key),
	EXIT,
};

static const struct probe probe = { .kind = PROBE_TRACEPOINT, .name = "sched:sched_switch",
				   .inputs = "" };
static const struct alternative alternative = { .probes = &probe, .n_probes = 1 };
static const struct hook hook = {
	.name = "switch", .alternatives = &alternative, .n_alternatives = 1,
};
static const struct program programs[] = { PROGRAM("switch", on_switch, .built = &hook), { } };
static const struct program_set set = { programs, maps };
static const struct option no_options[] = { { } };

/* A line of what was counted. */
struct counted {
	struct run *run;
	char text[4096];
};

static void write_stack(struct counted *c, int32_t number)
{
	uint64_t addresses[STACK_DEPTH];
	size_t at = strlen(c->text);

	if (number < 0) {
		snprintf(c->text + at, sizeof(c->text) - at, " %s", strerrorname_np(-number));
		return;
	}
	ck_assert(!run_get(c->run, "stacks", &number, addresses));
	for (unsigned int i = 0; i < STACK_DEPTH && addresses[i]; i++, at = strlen(c->text))
		snprintf(c->text + at, sizeof(c->text) - at, "%c%llx", i ? ',' : ' ',
			 (unsigned long long)addresses[i]);
}

static void add(void *arg, const void *key, const void *value)
{
	const struct switch_key *k = key;
	struct counted c = { .run = arg };
	uint64_t n;

	memcpy(&n, value, sizeof(n));
	write_stack(&c, k->kernel_stack);
	write_stack(&c, k->user_stack);
	output_line(run_output(arg), "%llu%s", (unsigned long long)n, c.text);
}

static int show(struct run *r, struct error *err)
{
	return run_take(r, "counts", add, r, err);
}

static const struct tool tool = {
	.name = "stacks", .shape = SHAPE_INTERVALS, .programs = &set, .options = no_options,
	.interval_end = show,
};

static void start_tool(struct trial *t, const struct tool *tool, const char *version)
{
	static char *argv[] = {
		(char *)"stacks", (char *)"--" STACK_STORAGE, (char *)"3", NULL,
	};

	memset(t, 0, sizeof(*t));
	t->run.kernel = trial_kernel(version);
	t->run.tool = tool;
	ck_assert_int_eq(tool_options(tool, 3, argv, &t->run.options, &t->err), ACTION_RUN);
	ck_assert_int_eq(run_prepare(&t->run, &t->err), 0);
}

static void start(struct trial *t, const char *version)
{
	start_tool(t, &tool, version);
}

#define SWITCH(TIME, STACKS)	TIME " 0 7 sched:sched_switch " STACKS "\n"

static const struct {
	const char *records, *counted;
} rows[] = {
	{ SWITCH("1", "kernel_stack=0xa,0xb user_stack=0x1,0x2"), "1 a,b 1,2\n" },
	/* The order in the record does not matter; the same addresses are one stack. */
	{ SWITCH("1", "kernel_stack=0xa,0xb user_stack=0x1")
	  SWITCH("2", "user_stack=0x1 kernel_stack=0xa,0xb"), "2 a,b 1\n" },
	/* Of the kernel and of user space: one table, and one number for the same addresses. */
	{ SWITCH("1", "kernel_stack=0xa user_stack=0xa"), "1 a a\n" },
	{ SWITCH("1", "kernel_stack=0xa"), "1 a EFAULT\n" },
	{ SWITCH("1", ""), "1 EFAULT EFAULT\n" },
	/* A stack that begins as another is another. */
	{ SWITCH("1", "kernel_stack=0xa user_stack=0xa,0xb"), "1 a a,b\n" },
	/* A 0 is no function: it ends user space's, and the kernel's go on (POWER). */
	{ SWITCH("1", "kernel_stack=0xa,0,0xb user_stack=0x1,0,0x2"), "1 a,b 1\n" },
	{ SWITCH("1", "kernel_stack=0,0xa,0 user_stack=0,0x1"), "1 a EFAULT\n" },
	/* The third of user space may be followed by others (POWER), which is another stack. */
	{ SWITCH("1", "user_stack=0x1,0x2,0,0x3"), "1 EFAULT 1,2,ffffffffffffeff7,3\n" },
	{ SWITCH("1", "user_stack=0x1,0x2,0"), "1 EFAULT 1,2\n" },
	{ SWITCH("1", "user_stack=0x1,0x2,0 kernel_stack=0xa"), "1 a 1,2\n" },
	{ SWITCH("1", "user_stack=0x1,0x2,0,0,0x3"), "1 EFAULT 1,2\n" },
	/* POWER: the kernel's mark again, below an interrupt. */
	{ SWITCH("1", "kernel_stack=0xa,0xffffffffffffff80,0xb user_stack=0x1"), "1 a,b 1\n" },
	/* The table is full: no number, never another stack's. */
	{ SWITCH("1", "kernel_stack=0xa user_stack=0xb") SWITCH("2", "kernel_stack=0xc")
	  SWITCH("3", "kernel_stack=0xd"), "1 a b\n1 c EFAULT\n1 ENOMEM EFAULT\n" },
};

START_TEST(counted_by_stack)
{
	struct trial t;

	start(&t, "6.1");
	ck_assert_msg(!trial_replay(&t, rows[_i].records, OUTPUT_TEXT), "%s", t.err.text);
	fflush(t.out);
	ck_assert_str_eq(t.text, rows[_i].counted);
	trial_end(&t);
}
END_TEST

/* Of more functions than a value has room for the oldest are left out. */
START_TEST(deep)
{
	char records[8192] = "1 0 7 sched:sched_switch kernel_stack=0x1000";
	char counted[8192] = "1 1000";
	struct trial t;

	for (unsigned int i = 1; i < STACK_DEPTH + 1; i++)
		sprintf(records + strlen(records), ",%#x", 0x1000 + i);
	for (unsigned int i = 1; i < STACK_DEPTH; i++)
		sprintf(counted + strlen(counted), ",%x", 0x1000 + i);
	start(&t, "6.1");
	ck_assert_msg(!trial_replay(&t, strcat(records, "\n"), OUTPUT_TEXT), "%s", t.err.text);
	fflush(t.out);
	ck_assert_str_eq(t.text, strcat(counted, " EFAULT\n"));
	trial_end(&t);
}
END_TEST

/* A program that wants a stack, and whether the call is of a 32-bit program. */
static const struct insn on_call[] = {
	STACK(R6, "kernel_stack"),
	SET(key.kernel_stack, R6),
	FIELD(R6, "compat"),
	SET(key.user_stack, R6),
	SET_EPOCH(key.epoch),
	COUNT("counts", key),
	EXIT,
};

static const struct probe call_probe = {
	.kind = PROBE_TRACEPOINT, .name = "raw_syscalls:sys_exit", .inputs = "compat=$compat",
};
static const struct alternative call_alternative = { .probes = &call_probe, .n_probes = 1 };
static const struct hook call_hook = {
	.name = "call", .alternatives = &call_alternative, .n_alternatives = 1,
};
static const struct program call_programs[] = {
	PROGRAM("call", on_call, .built = &call_hook), { }
};
static const struct program_set call_set = { call_programs, maps };
static const struct tool call_tool = {
	.name = "stacks", .shape = SHAPE_INTERVALS, .programs = &call_set, .options = no_options,
	.interval_end = show,
};

static void take_key(void *arg, const void *key, const void *value)
{
	(void)value;
	memcpy(arg, key, sizeof(struct switch_key));
}

/* perf puts the ABI behind the record, and does not count it as a part of that. */
START_TEST(abi_behind_the_record)
{
	struct perf_bytes {
		uint64_t n, addresses[2];
		uint32_t size;
		uint8_t raw[28];
		uint64_t abi;
	} __attribute__((packed)) bytes = {
		.n = 2, .addresses = { PERF_CONTEXT_KERNEL, 0xa }, .size = sizeof(bytes.raw),
		.abi = 1,
	};
	const struct sample sample = { .time = 1, .record = &bytes, .size = sizeof(bytes) };
	struct switch_key key = { .kernel_stack = -1 };
	struct engine_stats stats;
	struct stream *stream;
	struct trial t;

	start_tool(&t, &call_tool, "6.1");
	ck_assert_msg(!trial_plan(&t, TARGET_RING), "%s", t.err.text);
	stream = stream_new(t.run.kernel, &t.run.plan.plan, 1, &t.err);
	ck_assert_msg(stream != NULL, "%s", t.err.text);
	ck_assert_int_eq(stream_push(stream, &sample), 0);
	stream_run(stream, UINT64_MAX, NULL, NULL);
	stream_stats(stream, &stats);
	ck_assert_uint_eq(stats.lost, 0);
	for (unsigned int i = 0; i < t.run.plan.plan.n_maps; i++)
		if (!strcmp(t.run.plan.plan.maps[i].name, "counts"))
			stream_take(stream, i, take_key, &key);
	ck_assert_int_eq(key.kernel_stack, 0);
	ck_assert_int_eq(key.user_stack, 1);
	stream_free(stream);
	trial_end(&t);
}
END_TEST

/* An event whose stack of the kernel is one function; the number that it got. */
static int32_t stack_of(struct stream *s, const struct plan *p, uint64_t function)
{
	static uint64_t time;
	struct perf_bytes {
		uint64_t n, addresses[2];
		uint32_t size;
		uint8_t raw[64];
	} __attribute__((packed)) bytes = {
		.n = 2, .addresses = { PERF_CONTEXT_KERNEL, function }, .size = sizeof(bytes.raw),
	};
	const struct sample sample = { .time = ++time, .record = &bytes, .size = sizeof(bytes) };
	struct switch_key key = { .kernel_stack = -1 };

	ck_assert_int_eq(stream_push(s, &sample), 0);
	stream_run(s, UINT64_MAX, NULL, NULL);
	stream_take(s, (unsigned int)plan_map(p, "counts"), take_key, &key);
	return key.kernel_stack;
}

static bool is_there(struct stream *s, const struct plan *p, int32_t number, uint64_t function)
{
	uint64_t addresses[STACK_DEPTH];

	return !stream_get(s, (unsigned int)plan_map(p, "stacks"), &number, addresses) &&
	       addresses[0] == function;
}

static void hold(void *arg, struct stack_marks *marks)
{
	stack_marks_add(marks, *(const int32_t *)arg);
}

/* Room for 3: what a holder has stays, all else makes room, and no number means another stack. */
START_TEST(renewed)
{
	struct stack_holders holders = { .held = hold };
	struct stream *s;
	struct plan *p;
	struct trial t;
	int32_t a, b, c;

	start(&t, "6.1");
	ck_assert_msg(!trial_plan(&t, TARGET_RING), "%s", t.err.text);
	p = &t.run.plan.plan;
	s = stream_new(t.run.kernel, p, 1, &t.err);
	ck_assert_msg(s != NULL, "%s", t.err.text);
	a = stack_of(s, p, 0xa);
	b = stack_of(s, p, 0xb);
	c = stack_of(s, p, 0xc);
	ck_assert(a >= 0 && b >= 0 && c >= 0);
	ck_assert_int_eq(stack_of(s, p, 0xd), -ENOMEM);
	holders.arg = &b;
	ck_assert(!stream_renew(s, &holders, &t.err));
	ck_assert(is_there(s, p, b, 0xb));
	ck_assert(!is_there(s, p, a, 0xa) && !is_there(s, p, c, 0xc));
	ck_assert_int_eq(stack_of(s, p, 0xb), b);
	for (uint64_t function = 0xd; function < 0xf; function++) {
		a = stack_of(s, p, function);
		ck_assert(a >= 0 && a != b && is_there(s, p, a, function));
	}
	ck_assert_int_eq(stack_of(s, p, 0xf), -ENOMEM);
	stream_free(s);
	trial_end(&t);
}
END_TEST

/* Fields of maps that are numbers of stacks mark them; what is none marks nothing. */
START_TEST(marked)
{
	const struct switch_key key = { .kernel_stack = 2, .user_stack = -EFAULT };
	struct stack_marks marks;

	ck_assert(map_refers_to_stacks(&maps[1]) && !map_refers_to_stacks(&maps[0]));
	ck_assert(!stacks_leave(maps, 2) && stacks_leave(trace_programs.maps, 3));
	ck_assert(!stack_marks_init(&marks, maps, 2));
	stack_marks_add_fields(&marks, maps[1].key, &key);
	stack_marks_add(&marks, STACK_BEFORE);
	stack_marks_add(&marks, 1 << STACK_TABLE_SHIFT);	/* there is one table */
	for (uint32_t place = 0; place < 16384; place++)
		ck_assert_int_eq(stack_marked(&marks, 0, place), place == 2);
	stack_marks_free(&marks);
}
END_TEST

static const struct {
	uint32_t kept, used, room;
	bool taken, crowded;
} crowds[] = {
	{ 0, 0, 16384, false, false }, { 0, 2048, 16384, false, false },
	{ 0, 2049, 16384, false, true },
	/* Those that stayed are not new, unless they may go now. */
	{ 9000, 9100, 16384, false, false }, { 9000, 9100, 16384, true, true },
	/* Full of those that stayed: the eighth time it is tried. */
	{ 16384, 16384, 16384, false, false }, { 0, 1, 3, false, true },
};

START_TEST(crowded)
{
	struct stack_crowd c = { .kept = crowds[_i].kept };
	uint32_t most = stack_crowd_most(&c, crowds[_i].room, crowds[_i].taken);
	unsigned int tries = 0;

	ck_assert_int_eq(stack_crowded(&c, crowds[_i].used, crowds[_i].room, crowds[_i].taken),
			 crowds[_i].crowded);
	/* Who stops counting there decides the same. */
	c = (struct stack_crowd){ .kept = crowds[_i].kept };
	ck_assert_int_eq(stack_crowded(&c, crowds[_i].used < most ? crowds[_i].used : most,
				       crowds[_i].room, crowds[_i].taken), crowds[_i].crowded);
	if (crowds[_i].used == crowds[_i].room) {
		while (!stack_crowded(&c, crowds[_i].used, crowds[_i].room, false))
			tries++;
		ck_assert_uint_eq(tries, 6);
	}
}
END_TEST

/*
 * A stack of user space, a letter a function: its address is the letter's number. What is wanted
 * when the program has told the caller, and when all have names.
 */
static const struct {
	const char *stack;
	uint64_t caller;
	const char *put, *named;
	const char *name, *module;	/* of the newest function; of the caller */
	bool elsewhere;
} callers[] = {
	{ "f", 'c', "fc", "fc", "f", "work" },
	{ "fd", 'c', "fcd", "fcd", "f", "work" },
	/* The kernel has put it there, or the function calls itself. */
	{ "fcd", 'c', "fcd", "fcd", "f", "work" },
	/* The lowest bit says what instructions there are. */
	{ "fcd", 'b', "fcd", "fcd", "f", "work" },
	/* None is told, or there is no stack. */
	{ "fd", 0, "fd", "fd", "f", "work" }, { "", 'c', "", "", "f", "work" },
	/* It is in no file, or where a probe waits for the return; or the function is jumped to. */
	{ "fd", 'c', "fcd", "fd", "f", NULL }, { "fd", 'c', "fcd", "fd", "f", "[uprobes]" },
	{ "fd", 'c', "fcd", "fd", "f.cold", "work" },
	/* The function's file says that it is elsewhere. */
	{ "fd", 'c', "fcd", "fd", "f", "work", true },
};

static void check_letters(const struct stack_side *side, const char *letters)
{
	ck_assert_uint_eq(side->n_user, strlen(letters));
	for (unsigned int i = 0; i < side->n_user; i++)
		ck_assert_uint_eq(side->frames[side->n_kernel + i].address,
				  (unsigned char)letters[i]);
}

START_TEST(caller_told)
{
	struct stack_frame frames[8] = { { .kind = FRAME_KERNEL, .address = 1 } };
	struct stack_side side = { .frames = frames, .n_kernel = 1 };

	for (const char *c = callers[_i].stack; *c; c++)
		frames[1 + side.n_user++] = (struct stack_frame){
			.kind = FRAME_USER, .address = (unsigned char)*c,
		};
	side_put_caller(&side, callers[_i].caller);
	check_letters(&side, callers[_i].put);
	ck_assert_int_eq(side.told, strlen(callers[_i].put) > strlen(callers[_i].stack));
	frames[1].name = callers[_i].name;
	frames[2].module = callers[_i].module;
	side_check_caller(&side, callers[_i].elsewhere);
	check_letters(&side, callers[_i].named);
}
END_TEST

/* A letter a frame: a function with a name, one of a File, of a Jit, an Unknown place, a mark. */
static const struct {
	const char *stack;
	bool told;
	unsigned int user, lonely;
} weights[] = {
	{ "", false, 0, 0 }, { "n", false, 7, 7 }, { "nn", false, 7, 0 }, { "nf", false, 7, 0 },
	{ "nj", false, 7, 0 }, { "fn", false, 7, 0 }, { "nu", false, 7, 7 },
	{ "nuu", false, 7, 7 }, { "nun", false, 7, 0 }, { "nn", true, 7, 7 },
	{ "nnu", true, 7, 7 }, { "nnn", true, 7, 0 }, { "nm", false, 7, 7 }, { "m", false, 0, 0 },
	{ "u", false, 0, 0 }, { "un", false, 0, 0 },
};

START_TEST(weighed)
{
	struct stack_frame frames[8] = { { .kind = FRAME_KERNEL, .address = 1, .name = "k" } };
	struct stack_side side = { .frames = frames, .n_kernel = 1, .told = weights[_i].told };
	struct stacks s = { };

	for (const char *c = weights[_i].stack; *c; c++)
		frames[1 + side.n_user++] = (struct stack_frame){
			.kind = *c == 'm' ? FRAME_MARK : *c == 'j' ? FRAME_JIT : FRAME_USER,
			.name = *c == 'n' || *c == 'm' ? "name" : NULL,
			.module = *c == 'n' || *c == 'f' ? "file" : NULL,
		};
	stacks_weigh(&s, &side, 7);
	ck_assert_msg(s.user == weights[_i].user && s.lonely == weights[_i].lonely, "%s: %u of %u",
		      weights[_i].stack, (unsigned int)s.lonely, (unsigned int)s.user);
}
END_TEST

/* What POWER's kernel took from the link register: offsets in functions that are 0x1000 apart. */
static const struct {
	uint64_t newest, told;
	unsigned int left;
} links[] = {
	{ 0x1040, 0x1030, 2 },		/* its own: it called another function before */
	{ 0x1040, 0x2030, 3 },
	{ 0x1000, 0x1030, 3 },		/* it called itself, and begins */
};

START_TEST(link_told)
{
	struct stack_frame frames[] = {
		{ .address = links[_i].newest }, { .address = links[_i].told },
		{ .address = 0x3010 }, { .kind = FRAME_USER, .address = 'u' },
	};
	struct stack_side side = { .frames = frames, .n_kernel = 3, .n_user = 1 };

	for (unsigned int i = 0; i < 3; i++) {
		frames[i].kind = FRAME_KERNEL;
		frames[i].name = "f";
		frames[i].offset = frames[i].address & 0xfff;
	}
	side_drop_link(&side);
	ck_assert_uint_eq(side.n_kernel, links[_i].left);
	ck_assert_uint_eq(frames[side.n_kernel - 1].address, 0x3010);
	check_letters(&side, "u");
}
END_TEST

/* Kernel frames by whether they have a name, x: none, m: a mark; how many are left. */
static const struct {
	const char *frames;
	unsigned int left;
} entries[] = {
	{ "ffx", 2 }, { "fff", 3 }, { "fxx", 3 }, { "x", 1 }, { "fx", 1 }, { "ffm", 3 }, { "", 0 },
};

START_TEST(user_pc)
{
	struct stack_frame frames[4] = { };
	struct stack_side side = { .frames = frames, .n_user = 1 };
	const char *kinds = entries[_i].frames;

	for (; *kinds; kinds++)
		frames[side.n_kernel++] = (struct stack_frame){
			.kind = *kinds == 'm' ? FRAME_MARK : FRAME_KERNEL,
			.name = *kinds == 'x' ? NULL : "f",
		};
	frames[side.n_kernel] = (struct stack_frame){ .kind = FRAME_USER, .address = 'u' };
	side_drop_user_pc(&side);
	ck_assert_uint_eq(side.n_kernel, entries[_i].left);
	check_letters(&side, "u");
}
END_TEST

/* Of user space: functions are 0x1000 apart. What files say of it, and what is left; 0: a mark. */
#define SAVED { .kind = UNWIND_REGISTER, .reg = 1, .ra_saved = UNWIND_AT_CFA, .ra = 16 }
#define FRAMED { .kind = UNWIND_REGISTER, .reg = 1, .cfa = 64, .ra_saved = UNWIND_AT_CFA, .ra = 16 }
#define LEAF { .kind = UNWIND_REGISTER, .reg = 31, .cfa = 64 }
#define BARE { .kind = UNWIND_REGISTER, .reg = 1 }
static const struct {
	uint64_t told;
	struct unwind_row rows[2];
	bool unsaved;
	uint64_t left[4];
} user_links[] = {
	{ 0x1030, { FRAMED, FRAMED }, false, { 0x1040, 0x3010, 0x4010 } },
	{ 0x2010, { LEAF, LEAF }, false, { 0x1040, 0x2010, 0x4010 } },
	/* A 0 was left out: what is there now is a caller. */
	{ 0x2010, { LEAF, LEAF }, true, { 0x1040, 0x2010, 0x3010, 0x4010 } },
	{ 0x1030, { FRAMED, FRAMED }, true, { 0x1040, 0x3010, 0x4010 } },
	{ 0x2010, { BARE, BARE }, false, { 0x1040, 0x2010, 0x3010, 0x4010 } },
	/* Behind its system call (scv), and before. */
	{ 0x1040, { SAVED, SAVED }, false, { 0x1040, 0, 0x3010, 0x4010 } },
	{ 0x2010, { SAVED, SAVED }, false, { 0x1040, 0x2010, 0x3010, 0x4010 } },
	/* Another program that it may have been says something else. */
	{ 0x2010, { LEAF, FRAMED }, false, { 0x1040, 0x2010, 0x3010, 0x4010 } },
	{ 0x1040, { SAVED, BARE }, false, { 0x1040, 0x1040, 0x3010, 0x4010 } },
};

START_TEST(user_link_told)
{
	const struct unwind_row *const rows[] = {
		&user_links[_i].rows[0], &user_links[_i].rows[1],
	};
	const uint64_t stack[] = { 0x1040, user_links[_i].told, 0x3010, 0x4010 };
	struct stack_frame frames[5] = { { .kind = FRAME_KERNEL } };
	struct stack_side side = { .frames = frames, .n_kernel = 1, .n_user = 4,
				   .unsaved = user_links[_i].unsaved };

	for (unsigned int i = 0; i < 4; i++)
		frames[i + 1] = (struct stack_frame){
			.kind = FRAME_USER, .name = "f",
			.address = stack[i], .offset = stack[i] & 0xfff,
		};
	side_check_link(arch_by_name("ppc64le"), &side, rows, 2);
	for (unsigned int i = 0; i < 4; i++)
		ck_assert_uint_eq(i < side.n_user ? frames[i + 1].address : 0,
				  user_links[_i].left[i]);
	ck_assert_uint_eq(side.n_user, user_links[_i].left[3] ? 4 : 3);
	if (!user_links[_i].left[1])
		ck_assert_str_eq(frames[2].name, "[unknown caller]");
}
END_TEST

/* How many of a table's addresses there are: of the kernel's, of user space's, of POWER's. */
static const struct {
	uint64_t addresses[5];
	unsigned int kernel, user, twice;
} depths[] = {
	{ { 1, 2, 3 }, 3, 3, 3 }, { { 0 }, 0, 0, 0 }, { { 1, 0, 2 }, 3, 1, 1 },
	{ { 1, 2, 0, 3 }, 4, 2, 4 }, { { 1, 2, 0, 0, 3 }, 5, 2, 2 }, { { 1, 2, 0 }, 2, 2, 2 },
	{ { 1, 2, (uint64_t)-4096 - STACK_MARK_CALLER, 3 }, 4, 2, 4 },
};

START_TEST(depth)
{
	for (unsigned int which = 0; which < 3; which++) {
		uint64_t addresses[STACK_DEPTH] = { };

		memcpy(addresses, depths[_i].addresses, sizeof(depths[_i].addresses));
		ck_assert_uint_eq(stack_depth(addresses, which, which == 2),
				  which == 2 ? depths[_i].twice :
				  which ? depths[_i].user : depths[_i].kernel);
		if (which == 2 && depths[_i].twice == 4)
			ck_assert_uint_eq(addresses[2], 0);
	}
}
END_TEST

static const struct {
	const char *kernel, *without, *refused;
} kernels[] = {
	{ "6.1", "bpf-direct", NULL },		/* which older verifiers refuse */
	{ "4.19", NULL, NULL },
	{ "6.1", "bpf-stacks", "this kernel has no BPF maps of stacks (since 4.6)" },
};

static unsigned int stack_tables(const struct plan *p)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < p->n_maps; i++)
		n += p->maps[i].kind == MAP_STACKS;
	return n;
}

static const struct {
	const char *size;
	uint32_t entries[STACK_TABLES + 1];
} tables[] = {
	{ "1", { 2 } }, { "3", { 3 } }, { "4", { 5, 2, 2 } }, { "1000", { 1000, 250, 250 } },
	{ "16384", { 16385, 4097, 4097 } },
};

/* For BPF: one more than a power of two, which doubles the places, and tables for the rest. */
START_TEST(sizes)
{
	char *argv[] = {
		(char *)"stacks", (char *)"--" STACK_STORAGE, (char *)tables[_i].size, NULL,
	};
	unsigned int n = 0;
	const struct plan *p;
	struct trial t;

	memset(&t, 0, sizeof(t));
	t.run.kernel = trial_kernel("6.1");
	t.run.tool = &tool;
	ck_assert_int_eq(tool_options(&tool, 3, argv, &t.run.options, &t.err), ACTION_RUN);
	ck_assert_int_eq(run_prepare(&t.run, &t.err), 0);
	ck_assert_msg(!trial_plan(&t, TARGET_BPF), "%s", t.err.text);
	p = &t.run.plan.plan;
	for (unsigned int i = 0; i < p->n_maps; i++)
		if (p->maps[i].kind == MAP_STACKS)
			ck_assert_uint_eq(p->maps[i].entries, tables[_i].entries[n++]);
	ck_assert(!tables[_i].entries[n]);
	trial_end(&t);
}
END_TEST

START_TEST(in_the_kernel)
{
	const struct generation *g;
	struct trial t;
	struct check c = { .type = TYPE_TRACEPOINT };
	const struct lowered *code;

	start(&t, kernels[_i].kernel);
	if (kernels[_i].without)
		ck_assert(!kernel_without(t.run.kernel, kernels[_i].without, &t.err));
	if (kernels[_i].refused) {
		ck_assert_int_eq(trial_plan(&t, TARGET_BPF), -1);
		ck_assert_msg(strstr(t.err.text, kernels[_i].refused), "%s", t.err.text);
		trial_end(&t);
		return;
	}
	ck_assert_msg(!trial_plan(&t, TARGET_BPF), "%s", t.err.text);
	c.maps = t.run.plan.plan.maps;
	c.n_maps = t.run.plan.plan.n_maps;
	/* start(): room for 3 stacks, which is too few for other tables. */
	ck_assert_uint_eq(stack_tables(&t.run.plan.plan), 1);
	code = &t.run.plan.plan.programs[0].code;
	for (g = generations; g->name; g++) {
		c.generation = g;
		c.type = TYPE_TRACEPOINT;
		ck_assert_int_eq(check(code->insns, code->n, &c, &t.err), g->tracepoints ? 0 : -1);
		c.type = TYPE_KPROBE;
		ck_assert_int_eq(check(code->insns, code->n, &c, &t.err),
				 g->version >= KERNEL_VERSION_OF(4, 7) ? 0 : -1);
	}
	trial_end(&t);
}
END_TEST

static const struct {
	int32_t number;
	const char *text;
	int kind;
} absences[] = {
	{ STACK_BEFORE, "[asleep before the trace]", ABSENCE_KNOWN },
	{ STACK_PREEMPTED, "[preempted]", ABSENCE_KNOWN },
	{ -EEXIST, "[lost: collision]", ABSENCE_LOST },
	{ -ENOMEM, "[lost: table full]", ABSENCE_LOST },
	{ -EBUSY, "[lost: table is emptied]", ABSENCE_LOST },
	/* a number whose stack is not there any more */
	{ 7, "[lost: table is emptied]", ABSENCE_LOST },
	{ 0, "[lost: table is emptied]", ABSENCE_LOST },
	{ -EPERM, "[lost: not recorded]", ABSENCE_UNRECORDED },
	{ -EINVAL, "[lost: not recorded]", ABSENCE_UNRECORDED },
};

START_TEST(absent)
{
	const struct stack_absence *a = stack_absence(absences[_i].number);

	ck_assert_str_eq(a->text, absences[_i].text);
	ck_assert_int_eq(a->kind, absences[_i].kind);
}
END_TEST

Suite *suite_stacks(void)
{
	Suite *s = suite_create("stacks");

	add_tests(s, "counted", counted_by_stack, sizeof(rows) / sizeof(rows[0]));
	add_tests(s, "deep", deep, 1);
	add_tests(s, "absent", absent, sizeof(absences) / sizeof(absences[0]));
	add_tests(s, "ABI behind the record", abi_behind_the_record, 1);
	add_tests(s, "renewed", renewed, 1);
	add_tests(s, "marked", marked, 1);
	add_tests(s, "crowded", crowded, sizeof(crowds) / sizeof(crowds[0]));
	add_tests(s, "caller told", caller_told, sizeof(callers) / sizeof(callers[0]));
	add_tests(s, "weighed", weighed, sizeof(weights) / sizeof(weights[0]));
	add_tests(s, "user pc", user_pc, sizeof(entries) / sizeof(entries[0]));
	add_tests(s, "link told", link_told, sizeof(links) / sizeof(links[0]));
	add_tests(s, "user link told", user_link_told, sizeof(user_links) / sizeof(user_links[0]));
	add_tests(s, "depth", depth, sizeof(depths) / sizeof(depths[0]));
	add_tests(s, "sizes", sizes, sizeof(tables) / sizeof(tables[0]));
	add_tests(s, "in the kernel", in_the_kernel, sizeof(kernels) / sizeof(kernels[0]));
	return s;
}
