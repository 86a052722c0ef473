// SPDX-License-Identifier: GPL-2.0
/* Times of day while the clock is set, slewed, and the machine sleeps. */
#include "compat/time/wall.h"

#include <stdlib.h>
#include <time.h>

#include "tests/unit/unit.h"

Suite *suite_wall(void);

#define S 1000000000LL

START_TEST(untouched)
{
	struct wall w = { };

	ck_assert_int_eq(wall_clock(&w, 5 * S), 5 * S);
	wall_note(&w, 10 * S, 1010 * S);
	ck_assert_int_eq(wall_clock(&w, 5 * S), 1005 * S);
	ck_assert_int_eq(wall_clock(&w, 20 * S), 1020 * S);
}
END_TEST

/* Each record has the time of day that was right when it was made, however late it is shown. */
START_TEST(steps)
{
	struct wall w = { };

	wall_note(&w, 10 * S, 1010 * S);
	wall_note(&w, 11 * S, 1011 * S);
	wall_note(&w, 12 * S, 5012 * S);	/* set forwards after 11 s */
	wall_note(&w, 13 * S, 5013 * S);
	wall_note(&w, 14 * S, 14 * S);		/* and back to the epoch */
	ck_assert_int_eq(wall_clock(&w, 9 * S), 1009 * S);
	ck_assert_int_eq(wall_clock(&w, 11 * S), 1011 * S);
	ck_assert_int_eq(wall_clock(&w, 11 * S + 1), 5011 * S + 1);
	ck_assert_int_eq(wall_clock(&w, 13 * S), 5013 * S);
	ck_assert_int_eq(wall_clock(&w, 13 * S + 1), 13 * S + 1);
	ck_assert_int_eq(wall_clock(&w, 100 * S), 100 * S);
}
END_TEST

/* A week of slewing by 500 ppm: the offset of now counts, and no steps are made of it. */
START_TEST(slewing)
{
	struct wall w = { };

	for (int64_t t = 0; t < 604800; t++)
		wall_note(&w, t * S, t * S + 1000 * S + t * 500000);
	ck_assert_uint_eq(w.n, 1);
	ck_assert_int_eq(wall_clock(&w, 604799 * S), 604799 * S + 1000 * S + 604799 * 500000LL);
}
END_TEST

/* Somebody sets the clock all the time: the oldest are forgotten, the newest are right. */
START_TEST(many_steps)
{
	struct wall w = { };

	for (int64_t t = 0; t < 1000; t++)
		wall_note(&w, t * S, t * S + t % 7 * 3600 * S);
	ck_assert_uint_eq(w.n, WALL_STEPS);
	for (int64_t t = 990; t < 1000; t++)
		ck_assert_int_eq(wall_clock(&w, t * S), t * S + t % 7 * 3600 * S);
}
END_TEST

START_TEST(looking)
{
	struct wall w = { };
	struct timespec t;

	wall_look(&w);
	ck_assert_uint_eq(w.n, 1);
	clock_gettime(CLOCK_REALTIME, &t);
	ck_assert_int_lt(llabs(wall_clock(&w, w.seen) - (t.tv_sec * S + t.tv_nsec)), S);
}
END_TEST

Suite *suite_wall(void)
{
	Suite *s = suite_create("wall");

	add_tests(s, "untouched", untouched, 1);
	add_tests(s, "steps", steps, 1);
	add_tests(s, "slewing", slewing, 1);
	add_tests(s, "many steps", many_steps, 1);
	add_tests(s, "looking", looking, 1);
	return s;
}
