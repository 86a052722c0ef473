// SPDX-License-Identifier: GPL-2.0
/* Which process had what mapped when: rows of events, and what is found then. */
#include <stdlib.h>

#include "src/lib/symbols/history.h"
#include "tests/unit/unit.h"

Suite *suite_symbols_history(void);

enum what { END, MAP, FORK, EXEC, EXIT, SEED, SEED_MAP, FIND, FORGET, SINCE, EMPTY };

/*
 * MAP: [address, to) of the process is `file` from `time` on. FORK: `to` is the child. FIND: the
 * address is in `file` then. FORGET: before `time`. SINCE: `to`, when it came to be that. EMPTY:
 * `file`, whether it is known that there is no code.
 */
struct step {
	enum what what;
	uint32_t pid;
	uint64_t time, address, to;
	uint32_t file;
};

#define STEPS 24
static const struct {
	const char *name;
	struct step steps[STEPS];
} rows[] = {
	{ "nothing", { { FIND, 1, 5, 0x1000, 0, 0 } } },
	{ "edges of a mapping", {
		{ MAP, 1, 10, 0x1000, 0x2000, 7 },
		{ FIND, 1, 10, 0xfff, 0, 0 }, { FIND, 1, 10, 0x1000, 0, 7 },
		{ FIND, 1, 10, 0x1fff, 0, 7 }, { FIND, 1, 10, 0x2000, 0, 0 },
		{ FIND, 2, 10, 0x1000, 0, 0 }, { FIND, 1, 10, UINT64_MAX, 0, 0 },
	} },
	{ "time", {
		{ MAP, 1, 10, 0x1000, 0x3000, 7 }, { MAP, 1, 20, 0x2000, 0x4000, 8 },
		{ FIND, 1, 9, 0x1000, 0, 0 }, { FIND, 1, 19, 0x2000, 0, 7 },
		{ FIND, 1, 20, 0x2000, 0, 8 }, { FIND, 1, 20, 0x1fff, 0, 7 },
		{ FIND, 1, UINT64_MAX, 0x3fff, 0, 8 }, { FIND, 1, 19, 0x3fff, 0, 0 },
	} },
	{ "unmapped by what is no code", {
		{ MAP, 1, 10, 0x1000, 0x3000, 7 }, { MAP, 1, 20, 0x2000, 0x3000, 0 },
		{ FIND, 1, 15, 0x2000, 0, 7 }, { FIND, 1, 20, 0x2000, 0, 0 },
		{ FIND, 1, 20, 0x1000, 0, 7 },
	} },
	{ "fork", {
		{ MAP, 1, 10, 0x1000, 0x2000, 7 }, { FORK, 1, 20, 0, 2 },
		{ MAP, 1, 30, 0x1000, 0x2000, 8 }, { MAP, 2, 30, 0x5000, 0x6000, 9 },
		{ FIND, 2, 25, 0x1000, 0, 7 }, { FIND, 2, 35, 0x1000, 0, 7 },
		{ FIND, 1, 35, 0x1000, 0, 8 }, { FIND, 1, 35, 0x5000, 0, 0 },
		{ FIND, 2, 35, 0x5000, 0, 9 }, { FIND, 2, 15, 0x1000, 0, 0 },
		/* the parent ends first */
		{ EXIT, 1, 40 }, { FORGET, 0, 50 },
		{ FIND, 2, 45, 0x1000, 0, 7 }, { FIND, 1, 35, 0x1000, 0, 0 },
	} },
	{ "exec", {
		{ MAP, 1, 10, 0x1000, 0x2000, 7 }, { EXEC, 1, 20 },
		{ MAP, 1, 20, 0x8000, 0x9000, 8 },
		{ FIND, 1, 15, 0x1000, 0, 7 }, { FIND, 1, 20, 0x1000, 0, 0 },
		{ FIND, 1, 20, 0x8000, 0, 8 }, { FIND, 1, 15, 0x8000, 0, 0 },
	} },
	{ "ended", {
		{ FORK, 1, 10, 0, 2 }, { EXEC, 2, 11 }, { MAP, 2, 12, 0x1000, 0x2000, 7 },
		{ EXIT, 2, 20 },
		{ FIND, 2, 15, 0x1000, 0, 7 }, { FIND, 2, UINT64_MAX, 0x1000, 0, 7 },
		{ FORGET, 0, 20 }, { FIND, 2, 15, 0x1000, 0, 7 },
		{ FORGET, 0, 21 }, { FIND, 2, 15, 0x1000, 0, 0 },
	} },
	{ "a process id used again", {
		{ MAP, 2, 10, 0x1000, 0x2000, 7 }, { EXIT, 2, 20 }, { FORK, 1, 30, 0, 2 },
		{ MAP, 2, 31, 0x1000, 0x2000, 8 },
		{ FIND, 2, 25, 0x1000, 0, 7 }, { FIND, 2, 30, 0x1000, 0, 0 },
		{ FIND, 2, 31, 0x1000, 0, 8 },
		/* without its exit, which was lost */
		{ FORK, 1, 40, 0, 2 }, { FIND, 2, 41, 0x1000, 0, 0 },
		{ FIND, 2, 39, 0x1000, 0, 8 },
	} },
	{ "what was there before", {
		{ SEED, 1, 50, 0, 0, 1 }, { SEED_MAP, 1, 0, 0x1000, 0x2000, 7 },
		{ SEED_MAP, 1, 0, 0x3000, 0x4000, 8 },
		{ FIND, 1, 0, 0x1000, 0, 7 }, { FIND, 1, 60, 0x3fff, 0, 8 },
		{ SEED, 1, 60, 0, 0, 0 }, { MAP, 1, 70, 0x1000, 0x2000, 9 },
		{ FIND, 1, 69, 0x1000, 0, 7 }, { FIND, 1, 70, 0x1000, 0, 9 },
		{ FORK, 1, 80, 0, 2 }, { SEED, 2, 81, 0, 0, 0 },
		{ FIND, 2, 80, 0x1000, 0, 9 }, { FIND, 2, 80, 0x3000, 0, 8 },
	} },
	{ "asked of /proc behind its events", {
		{ MAP, 1, 10, 0x1000, 0x2000, 7 },
		{ SEED, 1, 50, 0, 0, 1 }, { SEED_MAP, 1, 0, 0x1000, 0x2000, 7 },
		{ SEED_MAP, 1, 0, 0x5000, 0x6000, 8 },
		{ FIND, 1, 20, 0x1000, 0, 7 }, { FIND, 1, 20, 0x5000, 0, 8 },
	} },
	{ "an exec that /proc told of before its event", {
		{ SEED, 1, 50, 0, 0, 1 }, { SEED_MAP, 1, 0, 0x1000, 0x2000, 7 },
		{ EXEC, 1, 40 }, { MAP, 1, 41, 0x1000, 0x2000, 7 },
		{ FIND, 1, 39, 0x1000, 0, 0 }, { FIND, 1, 45, 0x1000, 0, 7 },
	} },
	{ "a fork that /proc told of before its event", {
		{ SEED, 2, 50, 0, 0, 1 }, { SEED_MAP, 2, 0, 0x1000, 0x2000, 7 },
		{ FORK, 1, 40, 0, 2 },
		{ FIND, 2, 45, 0x1000, 0, 7 }, { FIND, 2, 39, 0x1000, 0, 0 },
	} },
	{ "one behind the other", {
		{ SEED, 1, 5, 0, 0, 1 }, { SEED_MAP, 1, 0, 0x1000, 0x3000, 7 },
		{ MAP, 1, 10, 0x1000, 0x2000, 8 }, { MAP, 1, 20, 0x1000, 0x2000, 0 },
		{ MAP, 1, 30, 0x1000, 0x2000, 9 },
		{ SINCE, 1, 40, 0x1000, 30 }, { SINCE, 1, 29, 0x1000, 20 },
		{ SINCE, 1, 19, 0x1000, 10 }, { SINCE, 1, 9, 0x1000, 0 },
		{ SINCE, 1, 40, 0x2000, 0 }, { SINCE, 1, 40, 0x8000, 0 },
		{ SINCE, 2, 40, 0x1000, 0 },
		/* not what another program had there */
		{ EXEC, 1, 50 }, { MAP, 1, 50, 0x1000, 0x2000, 7 }, { SINCE, 1, 60, 0x1000, 0 },
	} },
	{ "no code", {
		{ EMPTY, 1, 5, 0x1000, 0, 0 },
		{ SEED, 1, 5, 0, 0, 1 }, { SEED_MAP, 1, 0, 0x1000, 0x2000, 7 },
		{ EMPTY, 1, 5, 0x1000, 0, 0 }, { EMPTY, 1, 5, 0x2000, 0, 1 },
		{ MAP, 1, 10, 0x2000, 0x3000, 8 },
		{ EMPTY, 1, 9, 0x2000, 0, 1 }, { EMPTY, 1, 10, 0x2000, 0, 0 },
		{ FORK, 1, 20, 0, 2 }, { EMPTY, 2, 20, 0x2000, 0, 0 },
		{ EMPTY, 2, 20, 0x4000, 0, 1 }, { EXEC, 2, 30 }, { EMPTY, 2, 30, 0x2000, 0, 1 },
		{ EMPTY, 2, 29, 0x2000, 0, 0 },
		/* what it had before is not known */
		{ MAP, 3, 30, 0x1000, 0x2000, 7 }, { EMPTY, 3, 40, 0x4000, 0, 0 },
		{ FORK, 3, 41, 0, 4 }, { EMPTY, 4, 50, 0x4000, 0, 0 },
	} },
	{ "known since its exec", {
		{ EXEC, 1, 10 }, { SEED, 1, 50, 0, 0, 0 },
	} },
	{ "forks of forks", {
		{ MAP, 1, 1, 0x1000, 0x2000, 7 },
		{ FORK, 1, 2, 0, 2 }, { MAP, 2, 2, 0x11000, 0x12000, 12 },
		{ FORK, 2, 3, 0, 3 }, { MAP, 3, 3, 0x12000, 0x13000, 13 },
		{ FORK, 3, 4, 0, 4 }, { FORK, 4, 5, 0, 5 }, { FORK, 5, 6, 0, 6 },
		{ MAP, 6, 6, 0x14000, 0x15000, 14 }, { FORK, 6, 7, 0, 7 },
		{ MAP, 7, 8, 0x15000, 0x16000, 15 }, { FORK, 7, 9, 0, 8 },
		{ MAP, 8, 10, 0x11000, 0x12000, 16 },
		{ FIND, 8, 20, 0x1000, 0, 7 }, { FIND, 8, 20, 0x11000, 0, 16 },
		{ FIND, 8, 20, 0x12000, 0, 13 }, { FIND, 8, 20, 0x14000, 0, 14 },
		{ FIND, 8, 20, 0x15000, 0, 15 }, { FIND, 7, 20, 0x11000, 0, 12 },
	} },
};

static void found(const struct history *h, const struct step *s, const char *name, int number)
{
	const struct mapping *m = history_find(h, s->pid, s->time, s->address, NULL);

	ck_assert_msg((m ? m->file : 0) == s->file, "%s: step %d: file %u", name, number,
		      m ? m->file : 0);
}

START_TEST(events)
{
	struct history *h = history_new();

	for (int i = 0; i < STEPS && rows[_i].steps[i].what != END; i++) {
		const struct step *s = &rows[_i].steps[i];

		switch (s->what) {
		case MAP:
			history_map(h, s->pid, s->time, s->address, s->to, 0, s->file);
			break;
		case FORK:
			history_fork(h, s->pid, (uint32_t)s->to, s->time);
			break;
		case EXEC:
			history_exec(h, s->pid, s->time);
			break;
		case EXIT:
			history_exit(h, s->pid, s->time);
			break;
		case SEED:
			ck_assert_int_eq(history_seed(h, s->pid, s->time), s->file != 0);
			break;
		case SEED_MAP:
			history_seed_mapping(h, s->pid, s->address, s->to, 0, s->file);
			break;
		case FIND:
			found(h, s, rows[_i].name, i);
			break;
		case SINCE:
			ck_assert_uint_eq(history_since(h, s->pid, s->time, s->address), s->to);
			break;
		case EMPTY:
			ck_assert_int_eq(history_empty(h, s->pid, s->time, s->address), s->file);
			break;
		case FORGET:
			history_forget(h, s->time);
			break;
		case END:
			break;
		}
	}
	history_free(h);
}
END_TEST

/* A million processes that come and go, and one that maps for ever: memory is bounded. */
START_TEST(bounded)
{
	struct history *h = history_new();
	const uint32_t n = 300000;

	history_map(h, 1, 1, 0x1000, 0x2000, 0, 7);
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t pid = 2 + i % 30000;

		history_fork(h, 1, pid, 10 * i + 10);
		history_exec(h, pid, 10 * i + 11);
		history_map(h, pid, 10 * i + 12, 0x5000, 0x6000, 0, 8);
		history_exit(h, pid, 10 * i + 13);
	}
	ck_assert_int_gt(history_losses(h).lives, 0);
	ck_assert_ptr_nonnull(history_find(h, 2 + (n - 1) % 30000, 10 * n + 5, 0x5000, NULL));
	ck_assert_ptr_null(history_find(h, 2, 15, 0x5000, NULL));
	/* the same over and over, or in turns at the same place, is no more than once */
	for (uint32_t i = 0; i < 20000; i++)
		history_map(h, 1, 20000000 + i, 0x8000, 0x9000, 0, 9 + i % 2);
	ck_assert_int_eq(history_losses(h).mappings, 0);
	ck_assert_int_eq(history_find(h, 1, 30000000, 0x8000, NULL)->file, 10);
	ck_assert_int_eq(history_find(h, 1, 30000000, 0x1000, NULL)->file, 7);
	/* too many that are different: it is not known any more, and that is counted */
	for (uint32_t i = 0; i < 5000; i++)
		history_map(h, 1, 40000000 + i, 0x100000 + 0x1000 * i, 0x101000 + 0x1000 * i, 0,
			    11);
	ck_assert_int_gt(history_losses(h).mappings, 0);
	ck_assert_ptr_null(history_find(h, 1, 50000000, 0x1000, NULL));
	ck_assert_int_eq(history_find(h, 1, 40000000, 0x1000, NULL)->file, 7);
	history_free(h);
}
END_TEST

/* Other threads go on when the first has ended: who forks may be the next to be given up. */
START_TEST(forks_after_its_end)
{
	struct history *h = history_new();
	const uint32_t most = 131072, child = most + 1;

	history_exec(h, 1, 1);
	history_map(h, 1, 2, 0x1000, 0x2000, 0, 7);
	history_exit(h, 1, 3);
	for (uint32_t pid = 2; pid <= most; pid++)
		history_exec(h, pid, 4);
	ck_assert_int_eq(history_losses(h).lives, 0);
	history_fork(h, 1, child, 5);
	ck_assert_int_eq(history_losses(h).lives, 1);
	ck_assert_ptr_null(history_find(h, 1, 2, 0x1000, NULL));
	ck_assert_int_eq(history_find(h, child, 6, 0x1000, NULL)->file, 7);
	ck_assert_msg(!history_seed(h, child, 6), "it is known what its parent had mapped");
	history_free(h);
}
END_TEST

Suite *suite_symbols_history(void)
{
	Suite *s = suite_create("symbols_history");

	add_tests(s, "events", events, (int)(sizeof(rows) / sizeof(rows[0])));
	add_tests(s, "bounded", bounded, 1);
	add_tests(s, "forks after its end", forks_after_its_end, 1);
	return s;
}
