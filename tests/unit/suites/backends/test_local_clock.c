// SPDX-License-Identifier: GPL-2.0
#include "backends/perf/local_clock.h"
#include "tests/unit/unit.h"

Suite *suite_local_clock(void);

static const struct {
	int64_t before, after;
	uint64_t since, time, ns;
} rows[] = {
	{ 100, 100, 5000, 4999, 5099 }, { 100, 100, 5000, 5001, 5101 },
	{ -100, -100, 5000, 5000, 4900 },
	/* CLOCK_MONOTONIC was faster: what is later is later by more; */
	{ 100, 130, 5000, 5000, 5100 }, { 100, 130, 5000, 5001, 5131 },
	/* it was slower: it waits until the other one is as late. */
	{ 100, 70, 5000, 5000, 5100 }, { 100, 70, 5000, 5001, 5100 },
	{ 100, 70, 5000, 5030, 5100 }, { 100, 70, 5000, 5031, 5101 },
	{ 100, -7000, 9000, 9001, 9100 }, { 100, -7000, 9000, 17000, 10000 },
};

START_TEST(times)
{
	const struct local_clock c = {
		.before = rows[_i].before, .after = rows[_i].after, .since = rows[_i].since,
	};

	ck_assert_uint_eq(local_clock_ns(&c, rows[_i].time), rows[_i].ns);
	ck_assert_uint_eq(local_clock_ns(NULL, rows[_i].time), rows[_i].time);
}
END_TEST

START_TEST(nothing_to_do)
{
	local_clock_look(NULL);
	local_clock_close(NULL);
}
END_TEST

Suite *suite_local_clock(void)
{
	Suite *s = suite_create("local_clock");
	TCase *c = tcase_create("clock");

	tcase_add_loop_test(c, times, 0, COUNT_OF(rows));
	tcase_add_test(c, nothing_to_do);
	suite_add_tcase(s, c);
	return s;
}
