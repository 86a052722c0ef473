// SPDX-License-Identifier: GPL-2.0
#include "backends/stream/delay.h"

#include "backends/stream/stream.h"
#include "compat/base/clock.h"

Suite *suite_delay(void);

#define MS 1000000ULL

/* What was begun at 1000 ms: when it ended, and when it should have; the delay after each. */
static const struct {
	const char *what;
	uint64_t now_ms, expected_ms, delay_ms;
} rows[] = {
	{ "in time", 1100, 100, 2 },
	{ "earlier: it was woken", 1050, 100, 2 },
	{ "the clock went back", 900, 0, 2 },
	{ "1 ms late: it is given 2", 1101, 100, 2 },
	{ "5 ms late", 1105, 100, 10 },
	{ "less than before", 1103, 100, 10 },
	{ "a stop that nothing can be made of", 4000, 0, 100 },
};

START_TEST(grows)
{
	struct delay d = { .ns = DELAY_NS };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		delay_saw(&d, 1000 * MS, rows[i].now_ms * MS, rows[i].expected_ms * MS);
		ck_assert_msg(d.ns == rows[i].delay_ms * MS, "%s: %llu ns", rows[i].what,
			      (unsigned long long)d.ns);
	}
}
END_TEST

/* A record that was missed by 6 ms came 8 ms after its time, at least. */
START_TEST(after_late_records)
{
	static struct layout layout;
	static struct event event = { .kind = EVENT_TRACEPOINT, .system = "test", .name = "test",
				      .layout = &layout };
	static struct attachment attachment = { .event = &event };
	static const struct plan plan = { .target = TARGET_RING, .n_attachments = 1,
					  .attachments = &attachment };
	struct stream *stream = stream_new(NULL, &plan, 2, NULL);
	const struct sample young = { .time = 20 * MS, .record = "" };
	const struct sample old = { .time = 14 * MS, .cpu = 1, .record = "" };
	const struct sample ancient = { .time = 1, .cpu = 1, .record = "" };

	ck_assert_ptr_nonnull(stream);
	ck_assert_uint_eq(stream_delay(stream), 2 * MS);
	ck_assert_int_eq(stream_push(stream, &young), 0);
	stream_run(stream, UINT64_MAX, NULL, NULL);
	stream_push(stream, &old);
	ck_assert_uint_eq(stream_delay(stream), 16 * MS);
	stream_push(stream, &ancient);
	ck_assert_uint_eq(stream_delay(stream), 72 * MS - 2);
	stream_saw(stream, monotonic_ns() - 1000 * MS, 0);
	ck_assert_uint_eq(stream_delay(stream), 100 * MS);
	stream_free(stream);
}
END_TEST

Suite *suite_delay(void)
{
	Suite *s = suite_create("delay");

	add_tests(s, "grows", grows, 1);
	add_tests(s, "after-late-records", after_late_records, 1);
	return s;
}
