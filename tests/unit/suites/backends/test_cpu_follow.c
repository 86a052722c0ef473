// SPDX-License-Identifier: GPL-2.0
/* CPUs that go offline and come back: what is opened and closed for them, and what was not seen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/perf/cpu_follow.h"
#include "compat/base/clock.h"
#include "tests/unit/helpers/temporary.h"

#include <check.h>

Suite *suite_cpu_follow(void);

#define CPUS 6
#define MS 1000000ULL
#define LOOK (100 * MS)		/* between two looks at the list */
#define ASK (1000 * MS)		/* between two questions */

/* Masks of CPUs, and what the owner was asked to do since the last look. */
struct owner {
	unsigned int offline, broken, stuck;
	char log[128];
	uint64_t since;
	struct cpu_follow follow;
	char *dir, list[64], *said;
	size_t said_size;
};

static void note(struct owner *o, const char *what, unsigned int cpu)
{
	size_t n = strlen(o->log);

	snprintf(o->log + n, sizeof(o->log) - n, "%s%s %u", n ? ", " : "", what, cpu);
}

static int on_open(void *arg, unsigned int cpu, struct error *err)
{
	struct owner *o = arg;

	if (o->broken >> cpu & 1) {
		note(o, "broken", cpu);
		snprintf(err->text, sizeof(err->text), "CPU %u is broken", cpu);
		return -1;
	}
	note(o, o->offline >> cpu & 1 ? "offline" : "open", cpu);
	return o->offline >> cpu & 1;
}

static int on_close(void *arg, unsigned int cpu, struct error *err)
{
	struct owner *o = arg;

	note(o, "close", cpu);
	if (o->stuck >> cpu & 1)
		snprintf(err->text, sizeof(err->text), "CPU %u is stuck", cpu);
	return o->stuck >> cpu & 1 ? -1 : 0;
}

static void on_unseen(void *arg, unsigned int cpu, uint64_t since)
{
	struct owner *o = arg;

	note(o, "unseen", cpu);
	o->since = since;
}

static const struct cpu_owner ops = { on_open, on_close, on_unseen };

static int begin(struct owner *o, const char *list, struct error *err)
{
	memset(o->log, 0, sizeof(o->log));
	o->dir = temporary();
	snprintf(o->list, sizeof(o->list), "%s/online", o->dir);
	if (list)
		write_text(o->dir, "online", list);
	o->follow = (struct cpu_follow){
		.owner = &ops, .arg = o, .list = o->list, .n = CPUS, .name = "test",
		.verbose = open_memstream(&o->said, &o->said_size),
	};
	return cpu_follow_begin(&o->follow, err);
}

/* A look with a new list, as if so much time had gone by since the last one. */
static int look(struct owner *o, const char *list, uint64_t ns, struct error *err)
{
	memset(o->log, 0, sizeof(o->log));
	write_text(o->dir, "online", list);
	o->follow.read -= ns;
	return cpu_follow(&o->follow, err);
}

static void end(struct owner *o)
{
	cpu_follow_free(&o->follow);
	fclose(o->follow.verbose);
	free(o->said);
	remove_all(o->dir);
}

static const struct {
	const char *list, *log;
	unsigned int n_open;
} beginnings[] = {
	{ "0-3\n", "open 0, open 1, open 2, open 3", 4 },
	{ "0,2-3,5\n", "open 0, open 2, open 3, open 5", 4 },
	/* more than there can be */
	{ "4-9\n", "open 4, open 5", 2 },
	/* there is no sysfs */
	{ NULL, "open 0, open 1, open 2, open 3, open 4, open 5", 6 },
};

START_TEST(opens_what_is_online)
{
	struct error err = { "" };
	struct owner o = { 0 };

	ck_assert_int_eq(begin(&o, beginnings[_i].list, &err), 0);
	ck_assert_str_eq(o.log, beginnings[_i].log);
	ck_assert_uint_eq(o.follow.n_open, beginnings[_i].n_open);
	for (unsigned int i = 0; i < CPUS; i++) {
		char opened[16];

		snprintf(opened, sizeof(opened), "open %u", i);
		ck_assert_int_eq(cpu_followed(&o.follow, i), strstr(o.log, opened) != NULL);
	}
	ck_assert_uint_eq(o.follow.uncovered, 0);
	end(&o);
}
END_TEST

/* One look after the other; at the beginning "0-3" are online. */
static const struct {
	const char *list;
	unsigned int offline, broken, stuck;
	const char *log, *says;
	unsigned int n_open;
} looks[] = {
	{ "0-3\n", 0, 0, 0, "", "", 4 },
	{ "0,2-3\n", 0, 0, 0, "close 1, unseen 1", "", 3 },
	{ "0,3,5\n", 0, 0, 0, "close 2, unseen 2, open 5, unseen 5", "", 3 },
	{ "1-2\n", 0, 0, 0,
	  "close 0, unseen 0, open 1, unseen 1, open 2, unseen 2, close 3, unseen 3, "
	  "close 5, unseen 5", "", 2 },
	/* the list is older than the CPU's going */
	{ "1-3\n", 1 << 3, 0, 0, "offline 3, unseen 3", "", 2 },
	{ "1-3\n", 0, 0, 0, "open 3, unseen 3", "", 3 },
	/* one that fails does not keep the others from being followed */
	{ "0-3,5\n", 0, 1 << 0, 0, "broken 0, unseen 0, open 5, unseen 5", "CPU 0 is broken", 4 },
	{ "1,5\n", 0, 0, 1 << 2, "close 2, unseen 2, close 3, unseen 3", "CPU 2 is stuck", 2 },
	/* and is tried again */
	{ "0-2,5\n", 0, 0, 0, "open 0, unseen 0, open 2, unseen 2", "", 4 },
	/* a list that can't be read says nothing */
	{ "", 0, 0, 0, "", "", 4 },
};

START_TEST(follows_the_list)
{
	struct owner o = { 0 };
	struct error err = { "" };

	ck_assert_int_eq(begin(&o, "0-3\n", &err), 0);
	for (unsigned int i = 0; i < sizeof(looks) / sizeof(looks[0]); i++) {
		int result;

		err.text[0] = '\0';
		o.offline = looks[i].offline;
		o.broken = looks[i].broken;
		o.stuck = looks[i].stuck;
		result = look(&o, looks[i].list, LOOK, &err);
		ck_assert_str_eq(o.log, looks[i].log);
		ck_assert_str_eq(err.text, looks[i].says);
		ck_assert_int_eq(result, looks[i].says[0] ? -1 : 0);
		ck_assert_uint_eq(o.follow.n_open, looks[i].n_open);
	}
	end(&o);
}
END_TEST

START_TEST(looks_ten_times_a_second)
{
	struct error err = { "" };
	struct owner o = { 0 };

	ck_assert_int_eq(begin(&o, "0-3\n", &err), 0);
	o.follow.read = monotonic_ns() + LOOK;
	ck_assert_int_eq(look(&o, "0\n", LOOK, &err), 0);
	ck_assert_str_eq(o.log, "");
	ck_assert_int_eq(look(&o, "0\n", LOOK, &err), 0);
	ck_assert_str_eq(o.log, "close 1, unseen 1, close 2, unseen 2, close 3, unseen 3");
	end(&o);
}
END_TEST

/* At the beginning it is an error, which the owner can tell its user. */
START_TEST(fails_at_once)
{
	struct owner o = { .broken = 1 << 2 };
	struct error err = { "" };

	ck_assert_int_eq(begin(&o, "0-3\n", &err), -1);
	ck_assert_str_eq(o.log, "open 0, open 1, broken 2");
	ck_assert_str_eq(err.text, "CPU 2 is broken");
	end(&o);
	o = (struct owner){ .offline = 1 << 2 };
	ck_assert_int_eq(begin(&o, "0-3\n", &err), 0);
	ck_assert_str_eq(o.log, "open 0, open 1, offline 2, open 3");
	ck_assert_uint_eq(o.follow.n_open, 3);
	end(&o);
}
END_TEST

/* What a CPU may have done since the list was read without it. */
START_TEST(counts_what_is_not_covered)
{
	struct error err = { "" };
	struct owner o = { 0 };
	uint64_t read;

	ck_assert_int_eq(begin(&o, "0-1\n", &err), 0);
	read = o.follow.read - 300 * MS;
	ck_assert_int_eq(look(&o, "0\n", 300 * MS, &err), 0);
	ck_assert_uint_eq(o.since, read);
	ck_assert_uint_eq(o.follow.uncovered, 0);
	read = o.follow.read - 200 * MS;
	ck_assert_int_eq(look(&o, "0-1\n", 200 * MS, &err), 0);
	ck_assert_uint_eq(o.since, read);
	ck_assert_uint_ge(o.follow.uncovered, 200 * MS);
	ck_assert_uint_lt(o.follow.uncovered, 10000 * MS);
	fflush(o.follow.verbose);
	ck_assert_str_eq(o.said, "test: CPU 1 went offline\ntest: CPU 1 went online\n");
	end(&o);
}
END_TEST

/*
 * A watch that began a second ago, has counted `ns` since, and then `more`, and then nothing: its
 * CPU went away.
 */
static void set_watch(struct owner *o, unsigned int cpu, uint64_t ns, uint64_t more)
{
	struct cpu_watch *w = &o->follow.cpus[cpu].watch;
	uint64_t counts[] = { ns, ns + more };
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(write(ends[1], counts, more ? 16 : 8), more ? 16 : 8);
	close(ends[1]);
	cpu_watch_close(w);
	cpu_watch_begin(w, ends[0]);
	w->asked -= ASK;
	w->alive -= ASK;
}

static void stop_watching(struct owner *o)
{
	for (unsigned int i = 0; i < CPUS; i++)
		cpu_watch_close(&o->follow.cpus[i].watch);
}

/* It went and came back between two looks at the list: only its watch tells. */
START_TEST(finds_who_was_away)
{
	struct error err = { "" };
	struct owner o = { 0 };
	uint64_t asked;

	ck_assert_int_eq(begin(&o, "0-2\n", &err), 0);
	stop_watching(&o);
	set_watch(&o, 0, 3600 * ASK, 0);
	set_watch(&o, 1, 600 * MS, 0);
	ck_assert_int_eq(look(&o, "0-2\n", LOOK, &err), 0);
	ck_assert_str_eq(o.log, "");		/* nobody asked yet */
	asked = o.follow.asked -= ASK;
	ck_assert_int_eq(look(&o, "0-2\n", LOOK, &err), 0);
	ck_assert_str_eq(o.log, "");		/* it counted something: asked again, alone */
	ck_assert_int_eq(look(&o, "0-2\n", LOOK, &err), 0);
	ck_assert_str_eq(o.log, "close 1, unseen 1, open 1, unseen 1");
	ck_assert_uint_gt(o.since, asked);	/* opened again; closed, since it counted */
	ck_assert_uint_ge(o.follow.uncovered, 400 * MS);
	ck_assert_uint_lt(o.follow.uncovered, 10000 * MS);
	ck_assert_uint_eq(o.follow.n_open, 3);
	/* A CPU that is away now stays closed. */
	stop_watching(&o);
	set_watch(&o, 2, 500 * MS, 0);
	o.follow.asked -= ASK;
	ck_assert_int_eq(look(&o, "0-1\n", LOOK, &err), 0);
	ck_assert_str_eq(o.log, "close 2, unseen 2");
	end(&o);
}
END_TEST

/* The clock of an emulated CPU on a busy host: behind, but it goes on. */
START_TEST(a_slow_clock_is_no_absence)
{
	struct error err = { "" };
	struct owner o = { 0 };

	ck_assert_int_eq(begin(&o, "0-1\n", &err), 0);
	stop_watching(&o);
	set_watch(&o, 1, 1 * MS, 1);
	o.follow.asked -= ASK;
	ck_assert_int_eq(look(&o, "0-1\n", LOOK, &err), 0);
	ck_assert_int_eq(look(&o, "0-1\n", LOOK, &err), 0);
	ck_assert_str_eq(o.log, "");
	ck_assert_uint_eq(o.follow.uncovered, 0);
	/* Now it has ended. */
	ck_assert_int_eq(look(&o, "0-1\n", LOOK, &err), 0);
	ck_assert_str_eq(o.log, "close 1, unseen 1, open 1, unseen 1");
	end(&o);
}
END_TEST

START_TEST(asks_at_the_end)
{
	struct error err = { "" };
	struct owner o = { 0 };

	ck_assert_int_eq(begin(&o, "0-2\n", &err), 0);
	stop_watching(&o);
	set_watch(&o, 0, 3600 * ASK, 0);
	set_watch(&o, 1, 700 * MS, 0);
	cpu_follow_stop(&o.follow);
	ck_assert_uint_ge(o.follow.uncovered, 300 * MS);
	ck_assert_uint_lt(o.follow.uncovered, 10000 * MS);
	ck_assert_str_eq(o.log, "open 0, open 1, open 2");
	end(&o);
}
END_TEST

#define EACH(array) (int)(sizeof(array) / sizeof((array)[0]))

Suite *suite_cpu_follow(void)
{
	Suite *s = suite_create("cpu-follow");

	add_tests(s, "begin", opens_what_is_online, EACH(beginnings));
	add_tests(s, "list", follows_the_list, 1);
	add_tests(s, "pace", looks_ten_times_a_second, 1);
	add_tests(s, "failure", fails_at_once, 1);
	add_tests(s, "uncovered", counts_what_is_not_covered, 1);
	add_tests(s, "away", finds_who_was_away, 1);
	add_tests(s, "slow_clock", a_slow_clock_is_no_absence, 1);
	add_tests(s, "end", asks_at_the_end, 1);
	return s;
}
