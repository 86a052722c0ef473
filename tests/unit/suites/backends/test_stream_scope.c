// SPDX-License-Identifier: GPL-2.0
/* Events of tasks in a scope, through the stream: by the cgroup behind each record. */
#include "backends/stream/stream.h"

#include <string.h>

#include "insns/common.h"
#include "insns/lower/lower.h"
#include "insns/lower/whose.h"
#include "insns/program.h"
#include "tests/unit/unit.h"

Suite *suite_stream_scope(void);

struct frame {
	uint64_t time;
};

static const struct map maps[] = {
	{ MAP_STATE, MAP_ARRAY, ROLE_TABLE, 4, 8, STATE_SLOTS },
	{ "rows", MAP_OUTPUT, ROLE_RESULT, 0, 0, 0 },
};

static const struct insn on_event[] = {
	FIELD(R6, "pid_tgid"),
	FILTER(R6),
	SET_FIELD(time, "time"),
	OUTPUT("rows", time),
	EXIT,
};

static struct input who[] = {
	{ .name = "time", .place = PLACE_IDENTITY, .identity = IDENTITY_TIME, .size = 8 },
	{ .name = "pid_tgid", .place = PLACE_IDENTITY, .identity = IDENTITY_PID_TGID, .size = 8 },
};
static struct layout layout = { .n_inputs = 2, .inputs = who };
static struct event event = {
	.kind = EVENT_TRACEPOINT, .system = "test", .name = "event", .layout = &layout,
};
static const struct program program = PROGRAM("test.event", on_event);

static const struct filter_row row = {
	"cgroup", NULL, FILTER_UNDER, "cgroup", 4, .followed = true,
};
static const uint64_t any[] = { 3 };
static const struct filter filter = { .n = 1, .asked = { { &row, any, 1 } } };
static const struct task_scope nothing_else;

static enum in_scope find(void *arg, uint64_t id)
{
	(void)arg;
	return id == 25 ? SCOPE_IN : id ? SCOPE_OUT : SCOPE_UNKNOWN;
}

static void on_row(void *arg, unsigned int output, const void *record, uint32_t size)
{
	uint64_t *sum = arg, time;

	ck_assert_uint_eq(output, 1);
	ck_assert_uint_eq(size, sizeof(time));
	memcpy(&time, record, sizeof(time));
	*sum = *sum * 10 + time;
}

static void push(struct stream *r, uint64_t time, uint64_t id)
{
	const uint64_t record[] = { 0, id };
	const struct sample s = {
		.time = time, .tid = 5, .size = sizeof(record), .record = record,
	};

	ck_assert_int_eq(stream_push(r, &s), 0);
}

START_TEST(cgroups)
{
	struct error err = { "" };
	struct kernel *k = kernel_snapshot(KERNELS "/6.1", &err);
	struct plan_program lowered = { .program = &program, .event = &event };
	struct attachment attachment = { .program = &lowered, .event = &event };
	struct plan plan = {
		.target = TARGET_RING, .n_attachments = 1, .attachments = &attachment,
		.n_programs = 1, .programs = &lowered, .n_maps = 2, .maps = (struct map *)maps,
		.scope = &nothing_else,
	};
	const struct lowering l = {
		.target = TARGET_RING, .kernel = k, .layout = &layout, .filter = &filter,
		.maps = maps, .n_maps = 2,
	};
	struct engine_stats stats;
	struct stream *r;
	uint64_t rows = 0;

	ck_assert_msg(!lower(&program, &l, &lowered.code, &err), "%s", err.text);
	r = stream_new(k, &plan, 1, &err);
	ck_assert_msg(r != NULL, "%s", err.text);
	stream_cgroups(r, find, NULL);
	push(r, 1, 25);
	push(r, 2, 26);
	push(r, 3, 25);
	push(r, 4, 0);
	ck_assert_int_eq(stream_run(r, UINT64_MAX, on_row, &rows), 2);
	ck_assert_uint_eq(rows, 13);
	stream_stats(r, &stats);
	ck_assert_uint_eq(stats.seen, 4);
	ck_assert_uint_eq(stats.lost, 1);
	stream_free(r);
	lowered_free(&lowered.code);
	kernel_free(k);
}
END_TEST

/* What a plan for container names gets before each row. */
struct told {
	struct whose_record list[4];
	unsigned int n, rows;
};

static void on_told(void *arg, unsigned int output, const void *record, uint32_t size)
{
	struct told *told = arg;
	uint64_t time;

	if (output == 1) {
		memcpy(&time, record, sizeof(time));
		told->rows = told->rows * 10 + (unsigned int)time;
		return;
	}
	ck_assert_uint_eq(output, 2);
	ck_assert_uint_eq(size, sizeof(told->list[0]));
	ck_assert_uint_lt(told->n, 4);
	memcpy(&told->list[told->n++], record, size);
	told->rows *= 10;
}

START_TEST(whose)
{
	static const struct map with[] = {
		{ MAP_STATE, MAP_ARRAY, ROLE_TABLE, 4, 8, STATE_SLOTS },
		{ "rows", MAP_OUTPUT, ROLE_RESULT, 0, 0, 0 },
		{ MAP_WHOSE, MAP_OUTPUT, ROLE_TABLE, 0, 0, 0 },
	};
	static const struct filter none = { };
	struct error err = { "" };
	struct kernel *k = kernel_snapshot(KERNELS "/6.1", &err);
	struct plan_program lowered = { .program = &program, .event = &event };
	struct attachment attachment = { .program = &lowered, .event = &event };
	struct plan plan = {
		.target = TARGET_RING, .n_attachments = 1, .attachments = &attachment,
		.n_programs = 1, .programs = &lowered, .n_maps = 3, .maps = (struct map *)with,
	};
	const struct lowering l = {
		.target = TARGET_RING, .kernel = k, .layout = &layout, .filter = &none,
		.maps = with, .n_maps = 3,
	};
	struct told told = { };
	struct stream *r;

	ck_assert_msg(!lower(&program, &l, &lowered.code, &err), "%s", err.text);
	r = stream_new(k, &plan, 1, &err);
	ck_assert_msg(r != NULL, "%s", err.text);
	stream_cgroups(r, NULL, NULL);
	stream_tells_whose(r);
	push(r, 1, 25);
	push(r, 2, 0);			/* unknown: nothing is told */
	push(r, 3, 26);
	ck_assert_int_eq(stream_run(r, UINT64_MAX, on_told, &told), 5);
	ck_assert_uint_eq(told.rows, 1203);
	ck_assert_uint_eq(told.n, 2);
	ck_assert_uint_eq(told.list[0].time, 1);
	ck_assert_uint_eq(told.list[0].cgroup, 25);
	ck_assert_uint_eq((uint32_t)told.list[0].pid_tgid, 5);
	ck_assert_uint_eq(told.list[1].time, 3);
	ck_assert_uint_eq(told.list[1].cgroup, 26);
	stream_free(r);
	lowered_free(&lowered.code);
	kernel_free(k);
}
END_TEST

Suite *suite_stream_scope(void)
{
	Suite *s = suite_create("stream_scope");

	add_tests(s, "cgroups", cgroups, 1);
	add_tests(s, "whose", whose, 1);
	return s;
}
