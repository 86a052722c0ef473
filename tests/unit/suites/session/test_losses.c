// SPDX-License-Identifier: GPL-2.0
/* Events that did not get here: how perf's ring tells why, and what users are told. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/perf/perf_channel.h"
#include "src/session/wording.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_losses(void);

#define TYPE 7		/* the number of the event */
#define FILLER 1000	/* of a ring of one page, with other records */

/* Files for perf's mapping and for the count of the event. */
static int temporary(uint64_t size)
{
	FILE *file = tmpfile();
	int fd;

	ck_assert_ptr_nonnull(file);
	fd = dup(fileno(file));
	fclose(file);
	ck_assert_int_eq(ftruncate(fd, (off_t)size), 0);
	return fd;
}

static void put(struct perf_ring *ring, const void *record, uint16_t size)
{
	uint8_t *data = (uint8_t *)(uintptr_t)ring->data;

	memcpy(data + ring->control->data_head, record, size);
	ring->control->data_head += size;
}

static void put_sample(struct perf_ring *ring, uint64_t time, uint16_t more)
{
	struct {
		struct perf_event_header header;
		uint64_t time;
		uint32_t size;
		uint16_t type, flags;
		uint32_t pid, rest;
		uint8_t more[FILLER];
	} record = {
		.header = { .type = PERF_RECORD_SAMPLE, .size = 32 + more },
		.time = time, .size = 12, .type = TYPE, .pid = 1,
	};

	put(ring, &record, record.header.size);
}

static void put_lost(struct perf_ring *ring, uint64_t lost, uint64_t time)
{
	struct {
		struct perf_event_header header;
		uint64_t id, lost, time;
	} record = {
		.header = { .type = PERF_RECORD_LOST, .size = sizeof(record) },
		.lost = lost, .time = time,
	};

	put(ring, &record, sizeof(record));
}

/* A stream of one event, and a channel whose ring is a file. */
struct fixture {
	struct layout layout;
	struct event event;
	struct attachment attachment;
	struct plan plan;
	struct perf_target target;
	struct perf_source source;
	struct perf_group group;
	struct stream *stream;
	int mapping;
	struct perf_channel c;
};

static void set_up(struct fixture *f, unsigned int cpus, enum stream_share share,
		   unsigned int pages)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	*f = (struct fixture){
		.event = { .kind = EVENT_TRACEPOINT, .system = "s", .name = "n",
			   .layout = &f->layout },
		.attachment = { .event = &f->event },
		.plan = { .target = TARGET_RING, .n_attachments = 1,
			  .attachments = &f->attachment },
		.source = { .id = TYPE, .n_events = 1, .events = &f->target },
		.group = { .share = share, .n_sources = 1, .sources = &f->source },
		.mapping = temporary((pages + 1) * page),
	};
	f->stream = stream_new(NULL, &f->plan, cpus, NULL);
	f->c = (struct perf_channel){
		.group = &f->group, .stream = f->stream, .width = 1,
		.ring = perf_ring_map(f->mapping, pages, NULL),
	};
	ck_assert(f->stream && f->c.ring && !perf_group_index(&f->group, NULL));
}

static void tear_down(struct fixture *f)
{
	perf_ring_unmap(f->c.ring);
	stream_free(f->stream);
	free(f->group.by_id);
	close(f->mapping);
}

/* What the event counted, and what is in its ring. */
static const struct {
	enum stream_share share;
	uint64_t counted, samples;
	bool full;		/* large ones */
	uint64_t told;		/* by the kernel's own record */
	uint64_t lost, left_out;
	bool tidies;
} rings[] = {
	{ STREAM_EVENTS, 3, 3, false, 0, 0, 0 },
	{ STREAM_EVENTS, 5, 3, false, 0, 2, 2 },
	{ STREAM_EVENTS, 9, 0, false, 0, 9, 9 },
	{ STREAM_EVENTS, 5, 3, true, 0, 2, 0 },
	{ STREAM_EVENTS, 5, 3, false, 2, 2, 0 },
	{ STREAM_EVENTS, 6, 3, false, 2, 3, 0 },
	{ STREAM_TASKS, 5, 3, false, 0, 0, 0 },
	{ STREAM_EVENTS, 5, 3, false, 0, 0, 0, true },
	{ STREAM_EVENTS, 6, 3, false, 2, 3, 0, true },
};

START_TEST(a_ring_that_had_room_lost_nothing)
{
	int counter = temporary(0);
	struct engine_stats stats;
	uint64_t left_out;
	struct fixture f;

	set_up(&f, 1, rings[_i].share, 1);
	f.c.fds = &counter;
	f.source.tidies = rings[_i].tidies;
	ck_assert_int_eq(pwrite(counter, &rings[_i].counted, sizeof(uint64_t), 0), 8);
	if (rings[_i].told)
		put_lost(f.c.ring, rings[_i].told, 1);
	for (uint64_t i = 0; i < rings[_i].samples; i++)
		put_sample(f.c.ring, 2 + i, rings[_i].full ? FILLER : 0);
	ck_assert_int_eq(perf_channel_drain(&f.c, UINT64_MAX, 100), 0);
	ck_assert_uint_eq(f.c.samples, rings[_i].samples);
	left_out = perf_channel_settle(&f.c, 100);
	stream_stats(f.stream, &stats);
	ck_assert_uint_eq(stats.lost, rings[_i].lost);
	ck_assert_uint_eq(left_out, rings[_i].left_out);
	tear_down(&f);
	close(counter);
}
END_TEST

/* A reading takes a part at a time, to where it began; what may be lost comes after all of it. */
START_TEST(a_ring_is_read_by_parts)
{
	enum { PAGES = 64, SIZE = 32 + FILLER };
	const uint64_t bytes = perf_ring_size(PAGES), n = bytes / SIZE;
	struct engine_stats stats;
	struct fixture f;

	set_up(&f, 1, STREAM_EVENTS, PAGES);
	for (uint64_t i = 0; i < n; i++)
		put_sample(f.c.ring, 1 + i, FILLER);
	perf_channel_begin(&f.c);
	ck_assert_int_eq(perf_channel_drain(&f.c, bytes / 2, 100 + n), 0);
	ck_assert(!f.c.read && f.c.was_full);
	ck_assert_uint_ge(f.c.samples, n / 2);
	ck_assert_uint_le(f.c.samples, n / 2 + n / 8 + 1);
	ck_assert_uint_eq(f.c.last, f.c.samples);
	ck_assert_uint_eq(perf_ring_unread(f.c.ring), (n - f.c.samples) * SIZE);
	ck_assert_int_eq(perf_channel_drain(&f.c, bytes / 2, 100 + n), 0);
	ck_assert(f.c.read && !f.c.was_full && f.c.crowded);
	ck_assert_uint_eq(f.c.samples, n);
	ck_assert_int_eq(stream_run(f.stream, UINT64_MAX, NULL, NULL), 0);
	stream_stats(f.stream, &stats);
	ck_assert_uint_eq(stats.seen, n);
	ck_assert_uint_eq(stats.late, 0);
	tear_down(&f);
}
END_TEST

/* What would run out of order is late, also where only a gap of before is in the CPU's queue. */
START_TEST(late_ones_are_not_appended)
{
	struct sample s = { .time = 100, .cpu = 1, .record = "" };
	struct engine_stats stats;
	struct merge_queue *q;
	struct stream *stream;
	struct fixture f;

	set_up(&f, 2, STREAM_EVENTS, 1);
	stream = f.stream;
	q = stream_queue(stream, STREAM_EVENTS, 0);
	ck_assert_ptr_nonnull(q);
	ck_assert_ptr_null(stream_queue(stream, STREAM_EVENTS, 2));
	ck_assert_ptr_null(stream_queue(stream, STREAM_TASKS, 0));
	ck_assert_int_eq(stream_push(stream, &s), 0);
	stream_run(stream, 100, NULL, NULL);
	stream_gap(stream, 0, 10, 20, 3);
	ck_assert(!stream_append(q, 99, 0, 0, "", 0));
	ck_assert(stream_append(q, 100, 0, 0, "", 0));
	ck_assert(!stream_append(q, 99, 0, 0, "", 0));
	s.time = 99;
	s.cpu = 0;
	ck_assert_int_eq(stream_push(stream, &s), 0);
	stream_run(stream, UINT64_MAX, NULL, NULL);
	stream_stats(stream, &stats);
	ck_assert_uint_eq(stats.seen, 2);
	ck_assert_uint_eq(stats.lost, 3);
	ck_assert_uint_eq(stats.late, 1);
	tear_down(&f);
}
END_TEST

static const struct {
	struct engine_stats stats;
	uint64_t untimed;
	const char *text;
	bool alone;			/* ftrace can't serve it */
	bool shared;	/* with other tasks than those that were asked for */
} words[] = {
	{ .text = NULL },
	{ .stats.lost = 3, .shared = true,
	  .text = "3 events of all tasks lost between the kernel and sonde: at most so many of "
		  "the wanted tasks (--buffer-pages N makes the buffers larger)" },
	{ .stats.lost = 3, .text = "3 events lost between the kernel and sonde (--buffer-pages N "
				   "makes the buffers larger)" },
	{ .stats = { .lost = 1, .left_out = 1 },
	  .text = "1 event lost: the kernel counted them, and left them out of buffers that had "
		  "room (try --backend ftrace)" },
	{ .stats = { .lost = 1, .left_out = 1 }, .alone = true,
	  .text = "1 event lost: the kernel counted them, and left them out of buffers that had "
		  "room" },
	{ .stats = { .lost = 5, .left_out = 2 },
	  .text = "3 events lost between the kernel and sonde (--buffer-pages N makes the buffers "
		  "larger)\n"
		  "2 events lost: the kernel counted them, and left them out of buffers that had "
		  "room (try --backend ftrace)" },
	{ .stats = { .lost = 7, .left_out = 2, .undecided = 4 },
	  .text = "1 event lost between the kernel and sonde (--buffer-pages N makes the buffers "
		  "larger)\n"
		  "2 events lost: the kernel counted them, and left them out of buffers that had "
		  "room (try --backend ftrace)\n"
		  "4 events left out: it is unknown whether their task was asked for" },
	{ .stats = { .lost = 1, .undecided = 1 },
	  .text = "1 event left out: it is unknown whether their task was asked for" },
	{ .stats = { .late = 1, .unpaired = 12 },
	  .text = "1 event left out: they came too late to be put in order\n"
		  "12 events left out: they waited for their other half when events were lost" },
	{ .stats = { .missed = 5, .returns = 5, .unreturned = 1 },
	  .text = "5 events left out: calls whose return the kernel missed, because too many "
		  "calls were under way\n"
		  "1 event without an end: these calls go on, or the kernel missed their return" },
	{ .stats = { .missed = 3, .switches = 2 }, .untimed = 4,
	  .text = "1 event left out: the kernel skipped their probe, because it was busy with "
		  "another probe\n"
		  "2 events left out: switches of tasks that the kernel did not record\n"
		  "4 events could not be told apart from others at the same place: they are "
		  "counted here, and have no time" },
};

START_TEST(users_are_told_why)
{
	struct lines lines = loss_lines(&words[_i].stats, words[_i].untimed, true,
					!words[_i].alone, words[_i].shared);
	const char *text = lines_text(&lines);

	ck_assert(!text == !words[_i].text);
	if (text)
		ck_assert_str_eq(text, words[_i].text);
	lines_free(&lines);
}
END_TEST

Suite *suite_losses(void)
{
	Suite *s = suite_create("losses");
	TCase *rings_case = tcase_create("rings"), *words_case = tcase_create("words");

	tcase_add_loop_test(rings_case, a_ring_that_had_room_lost_nothing, 0, COUNT_OF(rings));
	tcase_add_test(rings_case, a_ring_is_read_by_parts);
	tcase_add_test(rings_case, late_ones_are_not_appended);
	tcase_add_loop_test(words_case, users_are_told_why, 0, COUNT_OF(words));
	suite_add_tcase(s, rings_case);
	suite_add_tcase(s, words_case);
	return s;
}
