// SPDX-License-Identifier: GPL-2.0
/*
 * Rings of ftrace's instances: how they are read, and what was lost.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/ftrace/ftrace_read.h"
#include "backends/stream/stream.h"
#include "tests/unit/helpers/ftrace_pages.h"
#include "tests/unit/helpers/temporary.h"
#include "tests/unit/unit.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static const struct {
	const char *text;
	uint64_t lost, unread;
} stats[] = {
	{ "entries: 5\noverrun: 0\ncommit overrun: 0\nbytes: 20\noldest event ts: 1.0\nnow ts: "
	  "2.0\ndropped events: 0\n", 0, 5 },
	{ "entries: 0\noverrun: 100\ncommit overrun: 20\nbytes: 20\nnow ts: 2.0\ndropped events: "
	  "3\nread events: 7\n", 123, 0 },
	{ "entries: -2\noverrun: 18446744073709551615\n", UINT64_MAX, 0 },
	{ "overrun: 4\nsome overrun: 7\nsome entries: 6\n", 4, 0 },
	{ "", 0, 0 },
};

START_TEST(stats_lost)
{
	struct ftrace_stats parsed = ftrace_stats_parse(stats[_i].text);

	ck_assert_uint_eq(parsed.lost, stats[_i].lost);
	ck_assert_uint_eq(parsed.unread, stats[_i].unread);
}
END_TEST

/* One page of one event of thread 7. */
static void put_page(const char *dir, const char *file, uint64_t time, uint32_t flags, uint16_t id)
{
	uint32_t words[(4096 - 16) / 4] = { EVENT(3, 0), id, 7, 0 };
	uint8_t *bytes = make_page(&wide, time, 16 | flags, words, sizeof(words));

	append_to(dir, file, bytes, 4096);
	free(bytes);
}

static int add_target(struct ftrace_targets *t, int id, uint32_t event)
{
	const struct ftrace_target target = { .event = event, .pid_offset = 4 };

	return ftrace_targets_add(t, id, &target, NULL);
}

static int one_reading(struct ftrace_reader *r, bool writing)
{
	int more;

	ftrace_begin(r, writing);
	do
		more = ftrace_round(r, NULL);
	while (more > 0);
	return more;
}

static void start_reader(struct ftrace_reader *r, char *dir, struct stream *stream)
{
	*r = (struct ftrace_reader){ .instance = dir, .stream = stream, .share = STREAM_EVENTS,
				     .layout = wide, .ring_pages = 2 };
	ck_assert_int_eq(add_target(&r->targets, 305, 0), 0);
	ck_assert_int_eq(ftrace_reader_open(r, NULL), 2);
}

static void check_stats(struct stream *stream, uint64_t seen, uint64_t lost)
{
	struct engine_stats s;

	ck_assert_int_ge(stream_run(stream, UINT64_MAX, NULL, NULL), 0);
	stream_stats(stream, &s);
	ck_assert_uint_eq(s.seen, seen);
	ck_assert_uint_eq(s.lost, lost);
	ck_assert_uint_eq(s.late, 0);
}

#define RING0 "per_cpu/cpu0/trace_pipe_raw"
#define RING1 "per_cpu/cpu1/trace_pipe_raw"
#define STATS0 "per_cpu/cpu0/stats"
#define STATS1 "per_cpu/cpu1/stats"

/* In its place: the reader has it open. */
static void set_stats(const char *dir, const char *file, const char *text)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	ck_assert(!truncate(path, 0) || errno == ENOENT);
	append_to(dir, file, text, strlen(text));
}

static char *fake_instance(void)
{
	char *dir = temporary();

	make_dir(dir, "per_cpu");
	make_dir(dir, "per_cpu/cpu1");
	make_dir(dir, "per_cpu/cpu0");
	set_stats(dir, STATS0, "overrun: 7\ncommit overrun: 1\ndropped events: 0\n");
	set_stats(dir, STATS1, "overrun: 0\ncommit overrun: 0\ndropped events: 0\n");
	write_text(dir, RING0, "");
	write_text(dir, RING1, "");
	return dir;
}

/* The stream of two CPUs, and of one event that no program takes. */
static struct stream *one_event(void)
{
	static struct layout layout;
	static struct event event = { .kind = EVENT_TRACEPOINT, .system = "syscalls",
				      .name = "sys_enter_getppid", .layout = &layout };
	static struct attachment attachment = { .event = &event };
	static const struct plan plan = { .target = TARGET_RING, .n_attachments = 1,
					  .attachments = &attachment };
	struct stream *stream = stream_new(NULL, &plan, 2, NULL);

	ck_assert_ptr_nonnull(stream);
	return stream;
}

/*
 * The number of lost events is always what the CPUs' stats say, each counted once; the marks in
 * pages only say where.
 */
START_TEST(losses_counted_once)
{
	struct stream *stream = one_event();
	char *dir = fake_instance();
	struct ftrace_reader r;

	put_page(dir, RING0, 1000, 0, 305);
	put_page(dir, RING0, 2000, MARK, 305);
	put_page(dir, RING0, 2500, MARK | STORED, 305);
	put_page(dir, RING1, 1500, 0, 305);
	put_page(dir, RING1, 1600, 0, 306);	/* nobody asked for that one */
	start_reader(&r, dir, stream);
	ck_assert_int_eq(one_reading(&r, true), 0);
	ck_assert_uint_eq(ftrace_complete(&r), UINT64_MAX);
	ck_assert_uint_eq(r.newest, 2500);
	check_stats(stream, 4, 8);
	/* More were lost, which no page tells of until the last round. */
	set_stats(dir, STATS0, "overrun: 9\ncommit overrun: 1\ndropped events: 0\n");
	set_stats(dir, STATS1, "overrun: 3\ncommit overrun: 0\ndropped events: 5\n");
	ck_assert_int_eq(one_reading(&r, true), 0);
	check_stats(stream, 4, 8);
	ck_assert_int_eq(ftrace_last_losses(&r, NULL), 0);
	check_stats(stream, 4, 18);
	ck_assert_int_eq(ftrace_last_losses(&r, NULL), 0);
	check_stats(stream, 4, 18);
	/* Unless full rings drop the new: then stats are all there is, and asked each round. */
	r.unmarked = true;
	set_stats(dir, STATS1, "overrun: 3\ncommit overrun: 0\ndropped events: 6\n");
	ck_assert_int_eq(one_reading(&r, true), 0);
	check_stats(stream, 4, 19);
	ftrace_reader_close(&r);
	stream_free(stream);
	remove_all(dir);
}
END_TEST

/* An event whose stack does not come any more, as tracing was stopped between both, is an event. */
START_TEST(last_stack_is_missing)
{
	struct stream *stream = one_event();
	char *dir = fake_instance();
	struct ftrace_reader r = {
		.instance = dir, .stream = stream, .share = STREAM_EVENTS, .layout = wide,
		.ring_pages = 2, .stacks = {
			.wanted = true,
			.formats[FTRACE_KERNEL_STACK] = { .id = 5, .addresses = 8, .word = 8 },
		},
	};
	const struct ftrace_target target = { .event = 0, .pid_offset = 4, .stacked = true,
					      .kernel_stack = true };

	ck_assert_int_eq(ftrace_targets_add(&r.targets, 305, &target, NULL), 0);
	ck_assert_int_eq(ftrace_reader_open(&r, NULL), 2);
	put_page(dir, RING0, 1000, 0, 305);
	ck_assert_int_eq(one_reading(&r, false), 0);
	check_stats(stream, 0, 0);
	ck_assert_uint_eq(ftrace_complete(&r), 999);
	ck_assert_int_eq(ftrace_last_losses(&r, NULL), 0);
	check_stats(stream, 1, 8);
	ck_assert_uint_eq(ftrace_complete(&r), UINT64_MAX);
	ftrace_reader_close(&r);
	stream_free(stream);
	remove_all(dir);
}
END_TEST

/* Who opens files of tracefs waits for others; but where not all may stay open, it has to be. */
START_TEST(stats_stay_open)
{
	struct stream *stream = one_event();
	char *dir = fake_instance();
	struct ftrace_reader r;

	start_reader(&r, dir, stream);
	write_text(dir, STATS0, "nothing, in another file of this name");
	set_stats(dir, STATS1, "overrun: 2\n");
	close(r.cpus[1].stats);
	r.cpus[1].stats = -1;
	ck_assert_int_eq(ftrace_last_losses(&r, NULL), 0);
	check_stats(stream, 0, 10);
	ftrace_reader_close(&r);
	stream_free(stream);
	remove_all(dir);
}
END_TEST

/*
 * What stays in the stats when a ring is empty was skipped by the kernel. While events come it
 * can't be told from new ones: it is if a read brings nothing more.
 */
START_TEST(skipped_events)
{
	struct stream *stream = one_event();
	char *dir = fake_instance();
	struct ftrace_reader r;

	set_stats(dir, STATS0, "entries: 18\noverrun: 0\n");
	put_page(dir, RING0, 1000, 0, 305);
	start_reader(&r, dir, stream);
	ck_assert_int_eq(one_reading(&r, true), 0);
	check_stats(stream, 1, 18);
	/* Told once; a ring that brought nothing is not asked again. */
	set_stats(dir, STATS0, "entries: 20\noverrun: 0\n");
	ck_assert_int_eq(one_reading(&r, true), 0);
	check_stats(stream, 1, 18);
	put_page(dir, RING0, 2000, 0, 305);
	ck_assert_int_eq(one_reading(&r, true), 0);
	check_stats(stream, 2, 20);
	set_stats(dir, STATS1, "entries: 3\noverrun: 4\n");
	ck_assert_int_eq(ftrace_last_losses(&r, NULL), 0);
	check_stats(stream, 2, 27);
	ck_assert_int_eq(ftrace_last_losses(&r, NULL), 0);
	check_stats(stream, 2, 27);
	ftrace_reader_close(&r);
	stream_free(stream);
	remove_all(dir);
}
END_TEST

/* The next who opens the file waits for the one who writes into it. */
static void make_fifo(const char *path)
{
	ck_assert_int_eq(mkfifo(path, 0600), 0);
}

static void *tell_stats(void *arg)
{
	static const char *const texts[] = { "entries: 1\n", "entries: 0\n" };
	const char *path = arg;
	int fd;

	for (unsigned int i = 0; i < 2; i++) {
		fd = open(path, O_WRONLY | O_CLOEXEC);
		unlink(path);
		make_fifo(path);
		dprintf(fd, "%s", texts[i]);
		close(fd);
	}
	return NULL;
}

/* An event counts before readers may have it: one that is being written was not skipped. */
START_TEST(event_in_progress)
{
	struct stream *stream = one_event();
	char *dir = fake_instance(), path[PATH_MAX];
	struct ftrace_reader r;
	pthread_t thread;

	set_stats(dir, STATS0, "entries: 0\n");
	start_reader(&r, dir, stream);
	close(r.cpus[1].stats);
	r.cpus[1].stats = -1;
	snprintf(path, sizeof(path), "%s/" STATS1, dir);
	unlink(path);
	make_fifo(path);
	ck_assert_int_eq(pthread_create(&thread, NULL, tell_stats, path), 0);
	put_page(dir, RING1, 1000, 0, 305);
	ck_assert_int_eq(one_reading(&r, true), 0);
	pthread_join(thread, NULL);
	check_stats(stream, 1, 0);
	ftrace_reader_close(&r);
	stream_free(stream);
	remove_all(dir);
}
END_TEST

START_TEST(rounds)
{
	struct stream *stream = one_event();
	char *dir = fake_instance();
	struct ftrace_reader r;

	start_reader(&r, dir, stream);
	/* A CPU that is faster than its reader sets the bound. */
	for (int i = 0; i < 5; i++)
		put_page(dir, RING0, 3000 + i, 0, 305);
	put_page(dir, RING1, 3004, 0, 305);
	ck_assert_int_eq(one_reading(&r, true), 0);
	ck_assert_uint_eq(ftrace_complete(&r), 3003);
	ck_assert_int_eq(one_reading(&r, false), 0);
	ck_assert_uint_eq(ftrace_complete(&r), UINT64_MAX);
	check_stats(stream, 6, 0);
	/* What was written after the round began is left, but for the page it begins in. */
	r.mono = true;
	put_page(dir, RING1, 4000, 0, 305);
	put_page(dir, RING1, 1ULL << 62, 0, 305);
	put_page(dir, RING1, (1ULL << 62) + 1, 0, 305);
	put_page(dir, RING1, (1ULL << 62) + 2, 0, 305);
	ck_assert_int_eq(one_reading(&r, false), 0);
	ck_assert_uint_eq(ftrace_complete(&r), 1ULL << 62);
	ck_assert_int_eq(one_reading(&r, false), 0);
	ck_assert_uint_eq(ftrace_complete(&r), (1ULL << 62) + 1);
	check_stats(stream, 9, 0);
	r.mono = false;
	ck_assert_int_eq(one_reading(&r, false), 0);
	ck_assert_uint_eq(ftrace_complete(&r), UINT64_MAX);
	check_stats(stream, 10, 0);
	/* What is no page is an error, not an event. */
	append_to(dir, RING0, "\x01\x02\x03\x04", 4);
	ck_assert_int_eq(one_reading(&r, true), -1);
	ftrace_reader_close(&r);
	stream_free(stream);
	remove_all(dir);
}
END_TEST

/* A reading goes by rounds of 64 KB and a page of each CPU, to where it began. */
START_TEST(parts_of_rings)
{
	enum { ROUND = 17 };
	struct stream *stream = one_event();
	char *dir = fake_instance();
	struct ftrace_reader r;

	start_reader(&r, dir, stream);
	r.mono = true;
	r.ring_pages = 100;
	for (int i = 0; i < 2 * ROUND + 1; i++)
		put_page(dir, RING0, 3000 + i, 0, 305);
	put_page(dir, RING1, 5000, 0, 305);
	ftrace_begin(&r, true);
	for (int round = 1; round <= 2; round++) {
		ck_assert_int_eq(ftrace_round(&r, NULL), 1);
		ck_assert_uint_eq(ftrace_complete(&r), 3000 + round * ROUND - 1);
		/* The other CPU has been read. */
		put_page(dir, RING1, 5000 + round, 0, 305);
	}
	ck_assert_int_eq(ftrace_round(&r, NULL), 0);
	ck_assert_uint_eq(ftrace_complete(&r), UINT64_MAX);
	check_stats(stream, 2 * ROUND + 2, 0);
	ck_assert_int_eq(one_reading(&r, true), 0);
	check_stats(stream, 2 * ROUND + 4, 0);
	/* All at once: before the end, and where the clock can't be read. */
	for (int all = 0; all < 2; all++) {
		for (int i = 0; i < 2 * ROUND; i++)
			put_page(dir, RING0, 6000 + 1000 * all + i, 0, 305);
		r.mono = !all;
		ftrace_begin(&r, all);
		ck_assert_int_eq(ftrace_round(&r, NULL), 0);
		check_stats(stream, 2 * ROUND * (all + 2) + 4, 0);
	}
	/* A CPU that is ahead waits for the other. */
	for (int i = 0; i < 2 * ROUND; i++) {
		put_page(dir, RING0, 8000 + i, 0, 305);
		put_page(dir, RING1, 9000 + i, 0, 305);
	}
	r.mono = true;
	ftrace_begin(&r, true);
	for (int round = 1; round <= 5; round++) {
		ck_assert_int_eq(ftrace_round(&r, NULL), round < 5);
		ck_assert_uint_eq(r.cpus[0].pages, round < 2 ? ROUND : 2 * ROUND);
		ck_assert_uint_eq(r.cpus[1].pages, round < 4 ? ROUND : 2 * ROUND);
	}
	check_stats(stream, 10 * ROUND + 4, 0);
	ftrace_reader_close(&r);
	stream_free(stream);
	remove_all(dir);
}
END_TEST

START_TEST(targets)
{
	struct ftrace_reader r = {};
	const struct ftrace_targets *t = &r.targets;

	ck_assert_int_eq(add_target(&r.targets, 300, 0), 0);
	ck_assert_int_eq(add_target(&r.targets, 200, 1), 0);
	ck_assert_int_eq(add_target(&r.targets, 300, 2), 0);
	ck_assert_int_eq(add_target(&r.targets, 300, 3), 0);
	ck_assert_int_eq(add_target(&r.targets, 65536, 0), -1);
	ck_assert_int_eq(add_target(&r.targets, -1, 0), -1);
	ck_assert_uint_eq(t->n_ids, 301);
	ck_assert_uint_eq(t->first[299], 0);
	ck_assert_uint_eq(t->targets[t->first[200] - 1].event, 1);
	ck_assert_uint_eq(t->targets[t->first[300] - 1].event, 0);
	ck_assert_uint_eq(t->targets[t->first[300] - 1].next, 3);
	ck_assert_uint_eq(t->targets[2].event, 2);
	ck_assert_uint_eq(t->targets[2].next, 4);
	ck_assert_uint_eq(t->targets[3].next, 0);
	ftrace_reader_close(&r);
}
END_TEST

Suite *suite_ftrace_read(void)
{
	Suite *s = suite_create("ftrace_read");
	TCase *c = tcase_create("ftrace_read");

	tcase_add_loop_test(c, stats_lost, 0, LENGTH(stats));
	tcase_add_test(c, losses_counted_once);
	tcase_add_test(c, last_stack_is_missing);
	tcase_add_test(c, stats_stay_open);
	tcase_add_test(c, skipped_events);
	tcase_add_test(c, event_in_progress);
	tcase_add_test(c, rounds);
	tcase_add_test(c, parts_of_rings);
	tcase_add_test(c, targets);
	suite_add_tcase(s, c);
	return s;
}
