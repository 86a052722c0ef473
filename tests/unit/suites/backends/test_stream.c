// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/stream/merge.h"
#include "backends/rings/perf_ring.h"
#include "backends/replay/replay.h"
#include "backends/stream/probe_order.h"
#include "backends/stream/stream.h"
#include "insns/common.h"

#include <check.h>

Suite *suite_stream(void);

/*
 * The stream is tested with small programs over scripts of the replay engine: what goes in, which
 * rows come out, what is counted.
 *
 * test:enter	waiting[tid] = now
 * test:exit	t = take waiting[tid]; if (t) row { since: t }, through an output of its own
 * test:who	row { tgid, comm }
 * f(a, b)	row { texts of both }; the two come in parts
 * test:enter	counts[0]++	(a second attachment to the same event)
 */
struct row {
	uint64_t time;
	uint32_t tid, tgid;
	char comm[16];
	uint64_t since;
	char texts[2][16];
};

struct frame {
	uint32_t key;
	uint64_t value;
	struct row row;
};

static const struct map maps[] = {
	{ "waiting", MAP_HASH, ROLE_JOIN, 4, 8, 64 },
	{ "rows", MAP_OUTPUT, ROLE_RESULT, 0, 0, 0 },
	{ "joined", MAP_OUTPUT, ROLE_RESULT, 0, 0, 0 },
	{ "counts", MAP_ARRAY, ROLE_RESULT, 4, 8, 1 },
};
enum { WAITING, ROWS, JOINED, COUNTS, MAPS };

#define NEW_ROW \
	ZERO(row), \
	SET_FIELD(row.time, "time"), \
	SET_FIELD(row.tid, "tid"), \
	SET_FIELD(row.tgid, "tgid")

static const struct insn on_enter[] = {
	SET_FIELD(key, "tid"),
	SET_FIELD(value, "time"),
	STORE("waiting", key, value),
	EXIT,
};

static const struct insn on_exit_[] = {
	SET_FIELD(key, "tid"),
	TAKE(R7, "waiting", key),
	JEQ(R7, 0, "out"),
	NEW_ROW,
	SET(row.since, R7),
	OUTPUT("joined", row),
LABEL("out"),
	EXIT,
};

static const struct insn on_who[] = {
	NEW_ROW,
	SET_BYTES(row.comm, "comm"),
	OUTPUT("rows", row),
	EXIT,
};

static const struct insn on_f[] = {
	NEW_ROW,
	STRING(R6, "a"),
	SET_KERNEL_STRING(row.texts[0], R6),
	STRING(R6, "b"),
	SET_KERNEL_STRING(row.texts[1], R6),
	OUTPUT("rows", row),
	EXIT,
};

static const struct insn on_count[] = {
	SET_IMM(key, 0),
	COUNT("counts", key),
	EXIT,
};

#define INPUT(NAME, PLACE, SIZE) \
	.fetch = (char *)(NAME), .n_inputs = 1, \
	.inputs = &(struct input){ .name = NAME, .kind = INPUT_STRING, \
		.place = (PLACE), .offset = 8, .size = (SIZE) }

#define WHO(NAME, ID, KIND) \
	{ .name = NAME, .kind = (KIND), .place = PLACE_IDENTITY, .identity = IDENTITY_##ID, \
	  .size = 16 }

static struct input who[] = {
	WHO("time", TIME, INPUT_NUMBER), WHO("tid", TID, INPUT_NUMBER),
	WHO("tgid", TGID, INPUT_NUMBER), WHO("comm", COMM, INPUT_BYTES),
};
static struct layout identities = { .n_inputs = 4, .inputs = who };
static struct layout location = { INPUT("a", PLACE_DATA_LOC, 4) };
static struct layout array = { INPUT("b", PLACE_RECORD, 16) };

static struct event events[] = {
	{ .kind = EVENT_TRACEPOINT, .system = "test", .name = "enter", .layout = &identities },
	{ .kind = EVENT_TRACEPOINT, .system = "test", .name = "exit", .layout = &identities },
	{ .kind = EVENT_TRACEPOINT, .system = "test", .name = "who", .layout = &identities },
	{ .kind = EVENT_KPROBE, .name = "f", .system = "", .is_part = true, .layout = &location },
	{ .kind = EVENT_KPROBE, .name = "f", .system = "", .is_part = true, .layout = &array },
	{ .kind = EVENT_KPROBE, .name = "f", .system = "", .layout = &identities },
	{ .kind = EVENT_TRACEPOINT, .system = "test", .name = "enter", .layout = &identities },
};
#define EVENTS (sizeof(events) / sizeof(events[0]))
#define WHO_EVENT 2

static const struct program programs[EVENTS] = {
	PROGRAM("test.enter", on_enter),
	PROGRAM("test.exit", on_exit_),
	PROGRAM("test.who", on_who),
	{ .hook = NULL },
	{ .hook = NULL },
	PROGRAM("test.f", on_f),
	PROGRAM("test.enter", on_count),
};

struct fixture {
	struct kernel *kernel;
	struct attachment attachments[EVENTS];
	struct plan_program programs[EVENTS];
	struct plan plan;
	FILE *rows;
	char *text;
	size_t size;
};

static void set_up(struct fixture *f)
{
	const struct layout *const parts[] = { &location, &array };
	struct error err = { "" };

	memset(f, 0, sizeof(*f));
	f->kernel = kernel_snapshot(KERNELS "/6.1", &err);
	ck_assert_msg(f->kernel != NULL, "%s", err.text);
	f->plan = (struct plan){
		.target = TARGET_RING, .n_attachments = EVENTS, .attachments = f->attachments,
		.programs = f->programs,
		.n_maps = MAPS, .maps = (struct map *)maps, .needs_tasks = true,
	};
	for (unsigned int i = 0; i < EVENTS; i++) {
		struct attachment *a = &f->attachments[i];
		struct plan_program *p;
		struct lowering l = {
			.target = TARGET_RING, .kernel = f->kernel, .layout = events[i].layout,
			.maps = maps, .n_maps = MAPS,
		};

		a->event = &events[i];
		if (!programs[i].hook)
			continue;
		p = &f->programs[f->plan.n_programs++];
		*p = (struct plan_program){ .program = &programs[i], .event = &events[i] };
		a->program = p;
		a->n_parts = events[i].kind == EVENT_KPROBE ? 2 : 0;
		l.n_parts = a->n_parts;
		l.parts = parts;
		ck_assert_msg(!lower(&programs[i], &l, &p->code, &err), "%s", err.text);
	}
	f->rows = open_memstream(&f->text, &f->size);
}

static void tear_down(struct fixture *f)
{
	for (unsigned int i = 0; i < f->plan.n_programs; i++)
		lowered_free(&f->programs[i].code);
	kernel_free(f->kernel);
	fclose(f->rows);
	free(f->text);
}

static void write_row(void *arg, unsigned int output, const void *record, uint32_t size)
{
	struct fixture *f = arg;
	struct row r;

	ck_assert_uint_eq(size, sizeof(r));
	memcpy(&r, record, sizeof(r));
	ck_assert_uint_eq(output, r.since ? JOINED : ROWS);
	fprintf(f->rows, "%llu %u %d", (unsigned long long)r.time, r.tid, (int)r.tgid);
	if (r.comm[0])
		fprintf(f->rows, " %.16s", r.comm);
	if (r.since)
		fprintf(f->rows, " since %llu", (unsigned long long)r.since);
	if (r.texts[0][0] || r.texts[1][0])
		fprintf(f->rows, " [%.16s] [%.16s]", r.texts[0], r.texts[1]);
	fputc('\n', f->rows);
}

static struct engine *replay(struct fixture *f, const char *script, struct error *err)
{
	char path[] = "/tmp/sonde-test-XXXXXX";
	int fd = mkstemp(path);
	struct engine_options o = { .replay = path };
	struct engine *e;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, script, strlen(script)), (ssize_t)strlen(script));
	close(fd);
	e = backend_replay.open(f->kernel, &f->plan, &o, err);
	unlink(path);
	return e;
}

/* The order of the stream, its joins, gaps, and parts. */
static const struct {
	const char *what, *script, *rows;
	uint64_t seen, lost, late, strings, unpaired;
} streams[] = {
	{ "events of two CPUs run by time, not by CPU",
	  "10 0 7 test:who\n" "30 0 7 test:who\n" "50 0 7 test:who\n" "20 1 8 test:who\n"
	  "40 1 8 test:who\n",
	  "10 7 -1\n" "20 8 -1\n" "30 7 -1\n" "40 8 -1\n" "50 7 -1\n", 5, 0, 0, 0 },
	{ "a join over CPUs",
	  "10 1 7 test:enter\n" "20 0 7 test:exit\n", "20 7 -1 since 10\n", 2, 0, 0, 0 },
	{ "an interrupt's younger record may be before an older one of its CPU",
	  "10 0 7 test:who\n" "30 0 7 test:who\n" "20 0 7 test:who\n" "15 0 7 test:who\n"
	  "40 0 7 test:who\n",
	  "10 7 -1\n" "15 7 -1\n" "20 7 -1\n" "30 7 -1\n" "40 7 -1\n", 5, 0, 0, 0 },
	{ "events of one time keep the order of their CPU",
	  "10 0 1 test:who\n" "10 0 2 test:who\n" "10 0 3 test:who\n",
	  "10 1 -1\n" "10 2 -1\n" "10 3 -1\n", 3, 0, 0, 0 },
	{ "late: dropped and counted",
	  "10 0 7 test:who\n" "30 0 7 test:who\n" "run 40\n" "20 1 8 test:who\n"
	  "30 1 8 test:who\n",
	  "10 7 -1\n" "30 7 -1\n" "30 8 -1\n", 3, 0, 1, 0 },
	{ "a run keeps what is younger",
	  "10 0 7 test:who\n" "30 0 7 test:who\n" "run 20\n" "20 1 8 test:who\n",
	  "10 7 -1\n" "20 8 -1\n" "30 7 -1\n", 3, 0, 0, 0 },
	{ "late: the joins of before are no more",
	  "10 0 7 test:enter\n" "30 0 9 test:who\n" "run 40\n" "20 1 7 test:enter\n"
	  "50 0 7 test:exit\n",
	  "30 9 -1\n", 3, 0, 1, 0, 1 },
	{ "a gap drops joins of all CPUs that are older than its end",
	  "10 1 7 test:enter\n" "gap 0 15 20 3\n" "30 1 7 test:exit\n", "", 2, 3, 0, 0, 1 },
	{ "joins begun after a gap hold",
	  "gap 0 15 20 3\n" "25 1 7 test:enter\n" "30 1 7 test:exit\n",
	  "30 7 -1 since 25\n", 2, 3, 0, 0 },
	{ "joins ended before a gap hold",
	  "10 1 7 test:enter\n" "14 1 7 test:exit\n" "gap 0 15 20 3\n",
	  "14 7 -1 since 10\n", 2, 3, 0, 0 },
	{ "a gap breaks a join that ends within it",
	  "10 1 7 test:enter\n" "gap 0 15 40 3\n" "30 1 7 test:exit\n", "", 2, 3, 0, 0, 1 },
	{ "and one that lies within it: its task may have been on the other CPU in between",
	  "gap 0 15 40 3\n" "20 1 7 test:enter\n" "30 1 7 test:exit\n" "50 0 9 test:enter\n"
	  "60 0 9 test:exit\n",
	  "60 9 -1 since 50\n", 4, 3, 0, 0, 1 },
	{ "of two gaps the longer one counts",
	  "gap 0 15 40 1\n" "gap 1 20 25 1\n" "30 1 7 test:enter\n" "35 1 7 test:exit\n",
	  "", 2, 2, 0, 0, 1 },
	{ "a gap of unknown count breaks joins, and counts these alone",
	  "10 1 7 test:enter\n" "gap 0 15 20 0\n" "30 1 7 test:exit\n", "", 2, 0, 0, 0, 1 },
	{ "a gap that is told of after its time",
	  "10 1 7 test:enter\n" "20 1 9 test:who\n" "run 30\n" "gap 0 5 15 2\n"
	  "40 1 7 test:exit\n",
	  "20 9 -1\n", 3, 2, 0, 0, 1 },
	{ "parts come to their main event, by thread",
	  "10 0 7 @3 a=\"one\"\n" "11 1 8 @3 a=\"three\"\n" "12 0 7 @4 b=\"two\"\n"
	  "13 1 8 @4 b=\"four\"\n"
	  "14 1 8 p:f\n" "15 0 7 p:f\n",
	  "14 8 -1 [three] [four]\n" "15 7 -1 [one] [two]\n", 6, 0, 0, 0 },
	{ "a part that is not there is not one of another call",
	  "10 0 7 @3 a=\"one\"\n" "11 0 7 @4 b=\"two\"\n" "12 0 7 p:f\n" "20 0 7 @3 a=\"three\"\n"
	  "21 0 7 p:f\n",
	  "12 7 -1 [one] [two]\n" "21 7 -1 [three] []\n", 5, 0, 0, 1 },
	{ "parts whose main event never came give way",
	  "10 0 7 @3 a=\"one\"\n" "11 0 7 @4 b=\"two\"\n" "20 0 7 @3 a=\"three\"\n"
	  "21 0 7 @4 b=\"four\"\n" "22 0 7 p:f\n",
	  "22 7 -1 [three] [four]\n", 5, 0, 0, 0 },
	{ "also where what came then is not whole",
	  "10 0 7 @3 a=\"one\"\n" "11 0 7 @4 b=\"two\"\n" "20 0 7 @4 b=\"four\"\n" "22 0 7 p:f\n",
	  "22 7 -1\n", 4, 0, 0, 2 },
	{ "also where the first of them could not be read",
	  "10 0 7 @3 a=fault\n" "11 0 7 @4 b=\"two\"\n" "20 0 7 @3 a=\"three\"\n" "22 0 7 p:f\n",
	  "22 7 -1 [three] []\n", 4, 0, 0, 1 },
	{ "parts that came behind their main event are not the next one's",
	  "10 0 7 p:f\n" "11 0 7 @4 b=\"two\"\n" "12 0 7 @3 a=\"one\"\n" "20 0 7 p:f\n"
	  "21 0 7 @4 b=\"four\"\n" "22 0 7 @3 a=\"three\"\n" "30 0 7 p:f\n",
	  "10 7 -1\n" "20 7 -1\n" "30 7 -1\n", 7, 0, 0, 6 },
	{ "a call within another one has its own parts",
	  "10 0 7 @3 a=\"one\"\n" "11 0 7 @3 a=\"in\"\n" "12 0 7 @4 b=\"side\"\n" "13 0 7 p:f\n"
	  "14 0 7 @4 b=\"two\"\n" "15 0 7 p:f\n",
	  "13 7 -1 [in] [side]\n" "15 7 -1 [] [two]\n", 6, 0, 0, 1 },
	{ "the idle tasks of all CPUs are called 0",
	  "10 0 0 @3 a=\"one\"\n" "11 1 0 @3 a=\"three\"\n" "12 0 0 @4 b=\"two\"\n"
	  "13 1 0 @4 b=\"four\"\n"
	  "14 1 0 p:f\n" "15 0 0 p:f\n",
	  "14 0 0 [three] [four]\n" "15 0 0 [one] [two]\n", 6, 0, 0, 0 },
	{ "any other thread may change its CPU between them",
	  "10 0 7 @3 a=\"one\"\n" "11 1 7 @4 b=\"two\"\n" "12 0 7 p:f\n",
	  "12 7 -1 [one] [two]\n", 3, 0, 0, 0 },
	{ "a part the kernel could not read is unknown, by its old sign and its new one",
	  "10 0 7 @3 a=fault\n" "11 0 7 @4 b=\"two\"\n" "12 0 7 p:f\n" "20 0 7 @3 a=\"(fault)\"\n"
	  "21 0 7 @4 b=\"two\"\n" "22 0 7 p:f\n",
	  "12 7 -1 [] [two]\n" "22 7 -1 [] [two]\n", 6, 0, 0, 2 },
	{ "a part whose text would lie outside its record is unknown",
	  "10 0 7 @3 x 00000000070000000c00ff0f\n" "11 0 7 p:f\n", "11 7 -1\n", 2, 0, 0, 2 },
	{ "a gap takes parts along",
	  "10 0 7 @3 a=\"one\"\n" "11 0 7 @4 b=\"two\"\n" "gap 0 12 20 1\n" "21 0 7 p:f\n",
	  "21 7 -1\n", 3, 1, 0, 2 },
	{ "tasks",
	  "task 7 5 my name\n" "10 0 7 test:who\n" "20 0 9 test:who\n",
	  "10 7 5 my name\n" "20 9 -1\n", 2, 0, 0, 0 },
	{ "task events are not counted, and go first among those of one time",
	  "task 7 5 old\n" "10 0 7 test:who\n" "20 0 7 test:who\n"
	  "20 1 7 task:task_rename pid=7 newcomm=\"new\"\n",
	  "10 7 5 old\n" "20 7 5 new\n", 2, 0, 0, 0 },
	{ "a gap makes tasks unknown from its beginning on",
	  "task 7 5 old\n" "10 0 7 test:who\n" "gap 1 15 20 1\n" "17 0 7 test:who\n"
	  "30 0 7 test:who\n",
	  "10 7 5 old\n" "17 7 -1\n" "30 7 -1\n", 3, 1, 0, 0 },
	{ "a late task event as well",
	  "task 7 5 old\n" "10 0 7 test:who\n" "run 15\n"
	  "5 1 7 task:task_rename pid=7 newcomm=\"new\"\n"
	  "30 0 7 test:who\n", "10 7 5 old\n" "30 7 -1\n", 2, 0, 0, 0 },
};

START_TEST(stream)
{
	struct error err = { "" };
	struct engine_stats stats;
	struct fixture f;
	struct engine *e;
	int n;

	set_up(&f);
	e = replay(&f, streams[_i].script, &err);
	ck_assert_msg(e != NULL, "%s", err.text);
	n = backend_replay.poll(e, UINT64_MAX, write_row, &f, &err);
	ck_assert_msg(n >= 0, "%s: %s", streams[_i].what, err.text);
	fflush(f.rows);
	ck_assert_msg(!strcmp(f.text, streams[_i].rows), "%s: rows are\n%s", streams[_i].what,
		      f.text);
	backend_replay.stats(e, &stats);
	ck_assert_msg(stats.seen == streams[_i].seen && stats.lost == streams[_i].lost &&
		      stats.late == streams[_i].late &&
		      stats.strings == streams[_i].strings &&
		      stats.unpaired == streams[_i].unpaired && !stats.full,
		      "%s: seen %llu lost %llu late %llu strings %llu unpaired %llu",
		      streams[_i].what,
		      (unsigned long long)stats.seen, (unsigned long long)stats.lost,
		      (unsigned long long)stats.late, (unsigned long long)stats.strings,
		      (unsigned long long)stats.unpaired);
	backend_replay.close(e);
	tear_down(&f);
}
END_TEST

/* A new name of the time of two events: which of them have it. */
static const struct {
	bool one_ring;
	const char *rows;
} rings[] = {
	{ false, "20 7 5 new\n20 7 5 new\n" },
	{ true, "20 7 5 old\n20 7 5 new\n" },
};

START_TEST(order_within_a_time)
{
	const struct task_life renamed = {
		.what = TASK_RENAME, .tid = 7, .tgid = 5, .comm = "new",
	};
	const uint8_t record[8] = { };
	const struct sample event = {
		.time = 20, .tid = 7, .event = WHO_EVENT, .size = sizeof(record), .record = record,
	};
	struct error err = { "" };
	struct fixture f;
	struct stream *r;

	set_up(&f);
	r = stream_new(f.kernel, &f.plan, 1, &err);
	ck_assert_msg(r != NULL, "%s", err.text);
	if (rings[_i].one_ring)
		stream_one_ring(r);
	stream_task(r, 7, 5, "old");
	ck_assert_int_eq(stream_push(r, &event), 0);
	ck_assert_int_eq(stream_life(r, 0, 20, &renamed), 0);
	ck_assert_int_eq(stream_push(r, &event), 0);
	ck_assert_int_eq(stream_run(r, UINT64_MAX, write_row, &f), 2);
	fflush(f.rows);
	ck_assert_str_eq(f.text, rings[_i].rows);
	stream_free(r);
	tear_down(&f);
}
END_TEST

static void add_count(void *arg, const void *key, const void *value)
{
	uint64_t n;

	ck_assert_uint_eq(*(const uint32_t *)key, 0);
	memcpy(&n, value, sizeof(n));
	*(uint64_t *)arg += n;
}

/* Two attachments of one event both run; rows that nobody took yet wait for the next poll. */
START_TEST(takes_forget)
{
	struct error err = { "" };
	uint64_t count = 0, again = 0;
	struct engine_stats stats;
	struct fixture f;
	struct engine *e;

	set_up(&f);
	e = replay(&f, "10 0 7 test:enter\n" "20 0 7 test:exit\n" "30 0 7 test:enter\n", &err);
	ck_assert_msg(e != NULL, "%s", err.text);
	ck_assert_int_eq(backend_replay.poll(e, UINT64_MAX, NULL, NULL, &err), 0);
	ck_assert_int_eq(backend_replay.take(e, COUNTS, add_count, &count, &err), 0);
	ck_assert_uint_eq(count, 2);
	ck_assert_int_eq(backend_replay.take(e, COUNTS, add_count, &again, &err), 0);
	ck_assert_uint_eq(again, 0);
	ck_assert_int_eq(backend_replay.poll(e, UINT64_MAX, write_row, &f, &err), 1);
	ck_assert_int_eq(backend_replay.poll(e, UINT64_MAX, write_row, &f, &err), 0);
	fflush(f.rows);
	ck_assert_str_eq(f.text, "20 7 -1 since 10\n");
	backend_replay.stats(e, &stats);
	ck_assert_uint_eq(stats.seen, 3);
	backend_replay.close(e);
	tear_down(&f);
}
END_TEST

/* A file of records as a session runs it: by its own clock, up to the end of each interval. */
START_TEST(runs_by_its_clock)
{
	static const char *const script =
		"20 0 7 test:who\n" "10 0 7 test:who\n" "clock 10 1000000000\n" "run 25\n"
		"30 0 7 test:who\n" "40 0 7 test:who\n" "50 0 7 test:who\n";
	static const struct {
		uint64_t until;
		int rows;
		uint64_t now;
		bool ended;
	} polls[] = {
		{ 5, 0, 10, false }, { 15, 1, 15, false }, { 25, 1, 25, false },
		{ 35, 1, 35, false }, { 35, 0, 35, false }, { 60, 2, 50, true },
		{ 70, 0, 50, true },
	};
	struct error err = { "" };
	struct wall wall = { };
	struct fixture f;
	struct engine *e;

	set_up(&f);
	e = replay(&f, script, &err);
	ck_assert_msg(e != NULL && !backend_replay.start(e, &err), "%s", err.text);
	ck_assert_uint_eq(backend_replay.now(e), 10);
	for (size_t i = 0; i < sizeof(polls) / sizeof(polls[0]); i++) {
		ck_assert_int_eq(backend_replay.poll(e, polls[i].until, write_row, &f, &err),
				 polls[i].rows);
		ck_assert_uint_eq(backend_replay.now(e), polls[i].now);
		ck_assert_int_eq(backend_replay.ended(e), polls[i].ended);
	}
	backend_replay.wall(e, &wall);
	ck_assert_int_eq(wall_clock(&wall, 15), 1000000005);
	backend_replay.close(e);
	tear_down(&f);
}
END_TEST

/* What is younger than the moment of stop() is left out. */
START_TEST(stops_where_it_is)
{
	struct error err = { "" };
	struct fixture f;
	struct engine *e;

	set_up(&f);
	e = replay(&f, "10 0 7 test:who\n" "20 0 7 test:who\n" "30 0 7 test:who\n", &err);
	ck_assert_msg(e != NULL && !backend_replay.start(e, &err), "%s", err.text);
	ck_assert_int_eq(backend_replay.poll(e, 20, write_row, &f, &err), 2);
	backend_replay.stop(e);
	ck_assert_int_eq(backend_replay.poll(e, UINT64_MAX, write_row, &f, &err), 0);
	ck_assert_uint_eq(backend_replay.now(e), 20);
	backend_replay.close(e);
	tear_down(&f);
}
END_TEST

static int put(struct engine *e, unsigned int map, const void *key, const void *value,
	       struct error *err)
{
	const struct entry entry = { .key = key, .value = value };

	return backend_replay.set(e, map, &entry, err);
}

/*
 * A map says when it is full, and which one it is; to remove what is not there is no failure, and
 * is told.
 */
START_TEST(sets_entries)
{
	const uint64_t value = 1;
	struct error err = { "" };
	struct fixture f;
	struct engine *e;
	uint32_t key;

	set_up(&f);
	e = replay(&f, "", &err);
	ck_assert_msg(e != NULL, "%s", err.text);
	for (key = 0; key < maps[WAITING].entries; key++)
		ck_assert_int_eq(put(e, WAITING, &key, &value, &err), 0);
	ck_assert_int_eq(put(e, WAITING, &key, &value, &err), -1);
	ck_assert_str_eq(err.text, "the map waiting is full: it has room for 64 entries");
	ck_assert_int_eq(put(e, WAITING, &key, NULL, &err), 1);
	key = 0;
	ck_assert_int_eq(put(e, WAITING, &key, NULL, &err), 0);
	ck_assert_int_eq(put(e, WAITING, &key, NULL, &err), 1);
	ck_assert_int_eq(put(e, WAITING, &key, &value, &err), 0);
	ck_assert_int_eq(put(e, ROWS, &key, &value, &err), -1);
	ck_assert_str_eq(err.text, "the map rows has no entries to set");
	backend_replay.close(e);
	tear_down(&f);
}
END_TEST

/* An entry that is put there for later times is not found by events from before. */
START_TEST(sets_entries_from_a_time)
{
	const uint64_t value = 5;
	const uint32_t key = 7;
	const struct entry entry = { .key = &key, .value = &value, .from = 15 };
	struct error err = { "" };
	struct fixture f;
	struct engine *e;

	set_up(&f);
	e = replay(&f, "14 0 7 test:exit\n" "15 1 7 test:exit\n" "16 0 7 test:exit\n", &err);
	ck_assert_msg(e != NULL, "%s", err.text);
	ck_assert_int_eq(backend_replay.set(e, WAITING, &entry, &err), 0);
	ck_assert(!backend_replay.start(e, &err));
	ck_assert_int_eq(backend_replay.poll(e, UINT64_MAX, write_row, &f, &err), 1);
	backend_replay.close(e);
	tear_down(&f);
}
END_TEST

static const struct {
	const char *script, *says;
} broken[] = {
	{ "10 0 7 test:nothing\n", "line 1: the plan has no such event" },
	{ "# fine\n10 64 7 test:who\n", "line 2: no such CPU" },
	{ "10 x 7 test:who\n", "a number is expected" },
	{ "10 0 7\n", "a word is missing" },
	{ "10 0 7 @3 c=1\n", "no such input" },
	{ "10 0 7 @3 a=1\n", "takes \"text\" or xHEX" },
	{ "10 0 7 @3 a=\"no end\n", "without end" },
	{ "10 0 7 @3 a=\"\\q\"\n", "no such escape" },
	{ "10 0 7 @4 b=\"seventeen letters\"\n", "longer than the input" },
	{ "10 0 7 @3 x 123\n", "odd number" },
	{ "clock 10\n", "a number is expected" },
};

START_TEST(says_what_is_wrong_with_a_script)
{
	struct error err = { "" };
	struct fixture f;
	struct engine *e;

	set_up(&f);
	e = replay(&f, broken[_i].script, &err);
	ck_assert_msg(e != NULL, "%s", err.text);
	ck_assert_int_eq(backend_replay.poll(e, UINT64_MAX, write_row, &f, &err), -1);
	ck_assert_msg(strstr(err.text, broken[_i].says) != NULL, "%s: %s", broken[_i].says,
		      err.text);
	backend_replay.close(e);
	tear_down(&f);
}
END_TEST

static unsigned int next_random(unsigned int *state)
{
	*state = *state * 1103515245 + 12345;
	return *state >> 8;
}

static void fill(struct merge_entry *e, uint32_t kind, uint32_t queue)
{
	ck_assert_ptr_nonnull(e);
	e->kind = kind;
	e->tid = queue;
	memset(e->data, (int)kind, e->length);
}

/*
 * What is pushed in any order comes out sorted and complete, over growth and compaction of the
 * queues.
 */
START_TEST(merge_sorts)
{
	enum { QUEUES = 5, ENTRIES = 30000 };
	struct merge *m = merge_new(QUEUES);
	const struct merge_entry *e;
	uint64_t now = 1000, last, n = 0;
	unsigned int random = 12345;

	ck_assert_ptr_nonnull(m);
	for (unsigned int i = 0; i < ENTRIES; i++) {
		uint32_t length = next_random(&random) % 300;
		uint32_t queue = next_random(&random) % QUEUES;
		/* some are older */
		uint32_t back = next_random(&random) % 16 ? 0 : next_random(&random) % 200;

		now += next_random(&random) % 50;
		fill(merge_push(m, queue, now - back, length), i, queue);
		if (i % 1000)
			continue;
		for (last = 0; (e = merge_next(m, now - 5000)); n++) {
			ck_assert_uint_ge(e->time, last);
			ck_assert_uint_le(e->time, now - 5000);
			last = e->time;
		}
	}
	for (last = 0; (e = merge_next(m, UINT64_MAX)); n++) {
		ck_assert_uint_ge(e->time, last);
		last = e->time;
		for (unsigned int i = 0; i < e->length; i++)
			ck_assert_uint_eq(e->data[i], e->kind & 0xff);
	}
	ck_assert_uint_eq(n, ENTRIES);
	merge_free(m);
}
END_TEST

/* Many have the same time: of those, the queues in their order, each in that of its pushes. */
START_TEST(merge_keeps_order)
{
	enum { QUEUES = 4, ENTRIES = 5000 };
	static const uint64_t last_times[] = { 0, 3, UINT64_MAX - 1, UINT64_MAX };
	struct merge *m = merge_new(QUEUES);
	const struct merge_entry *e;
	uint64_t last_time = 0, n = 0;
	uint32_t last_kind = 0, last_queue = 0;
	unsigned int random = 777;

	ck_assert_ptr_nonnull(m);
	for (unsigned int i = 0; i < ENTRIES; i++) {
		uint32_t queue = next_random(&random) % QUEUES;
		uint64_t time = next_random(&random) % 8 ? i / 100 : last_times[i * 4 / ENTRIES];

		fill(merge_push(m, queue, time, 8), i, queue);
	}
	for (; (e = merge_next(m, UINT64_MAX)); n++) {
		bool same_time = n && e->time == last_time;

		ck_assert(e->time >= last_time);
		ck_assert(!same_time || e->tid >= last_queue);
		ck_assert(!same_time || e->tid != last_queue || e->kind > last_kind);
		last_kind = e->kind;
		last_queue = e->tid;
		last_time = e->time;
	}
	ck_assert_uint_eq(n, ENTRIES);
	merge_free(m);
}
END_TEST

START_TEST(merge_has_a_limit)
{
	struct merge *m = merge_new(1);
	uint32_t length = 1 << 20;
	unsigned int n = 0, out = 0;

	while (n < 1000 && merge_push(m, 0, n, length))
		n++;
	ck_assert_uint_ge(n, 16);
	ck_assert_uint_lt(n, 1000);
	while (merge_next(m, UINT64_MAX))
		out++;
	ck_assert_uint_eq(out, n);
	ck_assert_ptr_nonnull(merge_push(m, 0, n, length));
	ck_assert_ptr_null(merge_push(m, 0, n, UINT32_MAX));
	merge_free(m);
}
END_TEST

/* A file that looks like perf's mapping, written to as the kernel does. */
struct fake {
	int fd;
	struct perf_event_mmap_page *control;
	uint8_t *data;
	uint64_t size;
	struct perf_ring *ring;
	uint64_t next, read;	/* the number in the next record, and in the next to be read */
};

static void fake_open(struct fake *f, unsigned int pages)
{
	uint64_t page = sysconf(_SC_PAGESIZE);
	FILE *file = tmpfile();

	memset(f, 0, sizeof(*f));
	f->fd = dup(fileno(file));
	fclose(file);
	f->size = pages * page;
	ck_assert_int_eq(ftruncate(f->fd, f->size + page), 0);
	f->control = mmap(NULL, f->size + page, PROT_READ | PROT_WRITE, MAP_SHARED, f->fd, 0);
	ck_assert_ptr_ne(f->control, MAP_FAILED);
	f->data = (uint8_t *)f->control + page;
	f->ring = perf_ring_map(f->fd, pages, NULL);
	ck_assert_ptr_nonnull(f->ring);
}

static void fake_close(struct fake *f)
{
	perf_ring_unmap(f->ring);
	munmap(f->control, f->size + sysconf(_SC_PAGESIZE));
	close(f->fd);
}

static void fake_write(struct fake *f, uint16_t size)
{
	uint8_t record[4096];
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE, .size = size };

	memset(record, f->next++, size);
	memcpy(record, &header, sizeof(header));
	for (unsigned int i = 0; i < size; i++)
		f->data[(f->control->data_head + i) % f->size] = record[i];
	f->control->data_head += size;
}

static void fake_record(void *arg, const struct perf_event_header *header)
{
	struct fake *f = arg;
	const uint8_t *bytes = (const uint8_t *)header;

	ck_assert_uint_eq((uintptr_t)header % 8, 0);
	for (unsigned int i = sizeof(*header); i < header->size; i++)
		if (bytes[i] != (f->read & 0xff))
			ck_abort_msg("record %llu: byte %u is %u", (unsigned long long)f->read, i,
				     bytes[i]);
	f->read++;
}

START_TEST(perf_ring_wraps)
{
	unsigned int random = 1;
	struct fake f;

	fake_open(&f, 1);
	ck_assert_uint_eq(perf_ring_bytes(f.ring), f.size);
	for (unsigned int round = 0; round < 500; round++) {
		uint16_t size;
		int n = 0;

		while (size = 16 + next_random(&random) % 120 * 8,
		       perf_ring_unread(f.ring) + size <= f.size) {
			fake_write(&f, size);
			n++;
		}
		ck_assert_int_eq(perf_ring_read(f.ring, fake_record, &f), n);
		ck_assert_uint_eq(perf_ring_unread(f.ring), 0);
		ck_assert_uint_gt(perf_ring_peak(f.ring), f.size - 1000);
		ck_assert_uint_le(perf_ring_peak(f.ring), f.size);
	}
	ck_assert_uint_eq(f.read, f.next);
	ck_assert_int_eq(perf_ring_read(f.ring, fake_record, &f), 0);
	ck_assert_uint_eq(perf_ring_peak(f.ring), 0);
	fake_close(&f);
}
END_TEST

static const uint16_t impossible[] = { 0, 4, 12, 4000 };

/* The rest is dropped; what comes then is read again. */
START_TEST(perf_ring_refuses_nonsense)
{
	struct perf_event_header header = { .size = impossible[_i] };
	struct fake f;

	fake_open(&f, 1);
	fake_write(&f, 64);
	memcpy(f.data + f.control->data_head, &header, sizeof(header));
	f.control->data_head += 64;
	ck_assert_int_eq(perf_ring_read(f.ring, fake_record, &f), -1);
	ck_assert_uint_eq(f.read, 1);
	fake_write(&f, 64);
	ck_assert_int_eq(perf_ring_read(f.ring, fake_record, &f), 1);
	fake_close(&f);
}
END_TEST

START_TEST(perf_ring_pages_are_a_power_of_two)
{
	uint64_t page = sysconf(_SC_PAGESIZE);

	ck_assert_uint_eq(perf_ring_size(0), page);
	ck_assert_uint_eq(perf_ring_size(1), page);
	ck_assert_uint_eq(perf_ring_size(3), 4 * page);
	ck_assert_uint_eq(perf_ring_size(64), 64 * page);
}
END_TEST

/*
 * Probes of one function run last made first, but on return first made first; parts run before
 * their main event.
 */
START_TEST(probes_are_made_so_that_parts_run_first)
{
	struct event main_event = { .kind = EVENT_KPROBE };
	struct event part = { .kind = EVENT_KPROBE, .is_part = true };
	struct event part_return = { .kind = EVENT_KRETPROBE, .is_part = true };
	struct event main_return = { .kind = EVENT_KRETPROBE };
	struct event other = { .kind = EVENT_TRACEPOINT };
	struct attachment all[] = {
		{ .event = &other },
		{ .event = &part }, { .event = &part }, { .event = &main_event, .n_parts = 2 },
		{ .event = &part_return }, { .event = &part_return },
		{ .event = &main_return, .n_parts = 2 },
	};
	static const unsigned int expected[] = { 0, 3, 2, 1, 4, 5, 6 };
	struct plan plan = { .n_attachments = 7, .attachments = all };
	unsigned int order[7];

	stream_probe_order(&plan, order);
	for (unsigned int i = 0; i < 7; i++)
		ck_assert_uint_eq(order[i], expected[i]);
}
END_TEST

#define EACH(array) (int)(sizeof(array) / sizeof((array)[0]))

Suite *suite_stream(void)
{
	Suite *s = suite_create("stream");

	add_tests(s, "stream", stream, EACH(streams));
	add_tests(s, "order", order_within_a_time, COUNT_OF(rings));
	add_tests(s, "take", takes_forget, 1);
	add_tests(s, "clock", runs_by_its_clock, 1);
	add_tests(s, "stop", stops_where_it_is, 1);
	add_tests(s, "set", sets_entries, 1);
	add_tests(s, "set_later", sets_entries_from_a_time, 1);
	add_tests(s, "script", says_what_is_wrong_with_a_script, EACH(broken));
	add_tests(s, "merge", merge_sorts, 1);
	add_tests(s, "merge-order", merge_keeps_order, 1);
	add_tests(s, "merge-limit", merge_has_a_limit, 1);
	add_tests(s, "perf-ring", perf_ring_wraps, 1);
	add_tests(s, "perf-ring-nonsense", perf_ring_refuses_nonsense, EACH(impossible));
	add_tests(s, "perf-ring-pages", perf_ring_pages_are_a_power_of_two, 1);
	add_tests(s, "probe-order", probes_are_made_so_that_parts_run_first, 1);
	return s;
}
