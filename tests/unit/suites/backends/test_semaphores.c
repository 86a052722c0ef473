// SPDX-License-Identifier: GPL-2.0
/*
 * The keeper of probes' semaphores (USDT) and processes that fork and end while it writes: at the
 * end no number is left that was its own.
 */
#include "backends/semaphores/keeper.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "compat/binaries/binaries.h"
#include "tests/unit/helpers/temporary.h"
#include "tests/unit/unit.h"

Suite *suite_semaphores(void);

#define POSITION 100			/* of the number in the file */
#define ROUND_MS 50
#define OTHERS 3			/* what somebody else has added to it */

enum { FIRST, CHILD, GRANDCHILD, PROCESSES };

/* What the processes of a test see of each other. */
struct scene {
	volatile int mapped, go, end;
	volatile uint16_t numbers[PROCESSES], at_work[PROCESSES];
	struct keeper_said said;
};

static const struct {
	const char *what;
	bool asked;			/* of -p: the first one */
	/* the first one ends as soon as it has forked; so does its child */
	bool ends, forks_twice;
	bool others;			/* somebody else traces the probe, too */
} rows[] = {
	{ "a child", false }, { "a child of -p", true },
	{ "an orphan", false, .ends = true }, { "an orphan of -p", true, .ends = true },
	{ "an orphan's child", false, .ends = true, .forks_twice = true },
	{ "an orphan's child of -p", true, .ends = true, .forks_twice = true },
	{ "a child of what others trace", false, .others = true },
	{ "an orphan of what others trace", false, .ends = true, .others = true },
};

static void wait_ms(long ms)
{
	nanosleep(&(struct timespec){ .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 }, NULL);
}

static void show(struct scene *s, int who, const volatile uint16_t *number,
		 const volatile int *until)
{
	while (!*until) {
		s->numbers[who] = *number;
		wait_ms(1);
	}
}

static void first(struct scene *s, const char *file, int row)
{
	int fd = open(file, O_RDWR);
	char *data = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	uint16_t *number = (uint16_t *)(void *)(data + POSITION);

	alarm(20);
	if (rows[row].others)
		*number = OTHERS;
	s->mapped = 1;
	show(s, FIRST, number, &s->go);
	if (!fork()) {
		alarm(20);
		if (rows[row].forks_twice && !fork()) {
			alarm(20);
			show(s, GRANDCHILD, number, &s->end);
		} else if (!rows[row].forks_twice) {
			show(s, CHILD, number, &s->end);
		}
	} else if (!rows[row].ends) {
		show(s, FIRST, number, &s->end);
	}
	_exit(0);
}

/* Ends the keeper, by its end. */
static void drive(struct scene *s, int ready)
{
	if (read(ready, &s->said, sizeof(s->said)) != sizeof(s->said))
		_exit(1);
	s->go = 1;
	wait_ms(6 * ROUND_MS);
	for (int i = 0; i < PROCESSES; i++)
		s->at_work[i] = s->numbers[i];
	_exit(0);
}

static bool shows(const struct scene *s, int who, int number)
{
	for (int i = 0; i < 2000 && s->numbers[who] != number; i++)
		wait_ms(1);
	return s->numbers[who] == number;
}

START_TEST(nothing_is_left)
{
	struct scene *s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	const int before = rows[_i].others ? OTHERS : 0;
	const int last = rows[_i].forks_twice ? GRANDCHILD : CHILD;
	int alive[2], ready[2];
	char *dir = temporary(), zeros[4096] = "";
	struct keeper k = { .n_wanted = 1, .round_ms = ROUND_MS };
	struct binary binary = { };
	char path[300];
	uint32_t asked;
	pid_t pid;

	/* In the place of init: what is orphaned is still below this process, as Yama wants it. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	append_to(dir, "data", zeros, sizeof(zeros));
	snprintf(path, sizeof(path), "%s/data", dir);
	snprintf(binary.file, sizeof(binary.file), "/proc/self/fd/%d", open(path, O_RDONLY));
	k.wanted[0] = (struct wanted){ .binary = &binary, .position = POSITION };
	pid = fork();
	if (!pid)
		first(s, path, _i);
	asked = (uint32_t)pid;
	if (rows[_i].asked) {
		k.processes = &asked;
		k.n_processes = 1;
	}
	while (!s->mapped)
		wait_ms(1);
	ck_assert(!pipe(alive) && !pipe(ready));
	if (!fork())
		drive(s, ready[0]);
	close(alive[1]);
	close(ready[0]);
	keeper_run(&k, alive[0], ready[1]);
	if (s->said.raised) {		/* else this machine lets nobody do it */
		ck_assert_int_eq(s->said.raised, 1);
		ck_assert_int_eq(s->at_work[last], before + 1);
		ck_assert_msg(shows(s, last, before), "%s: %d is left", rows[_i].what,
			      s->numbers[last]);
		ck_assert(rows[_i].ends || shows(s, FIRST, before));
	}
	s->end = 1;
	while (wait(NULL) > 0)
		;
	free(k.raised);
	remove_all(dir);
}
END_TEST

Suite *suite_semaphores(void)
{
	Suite *s = suite_create("semaphores");

	add_tests(s, "nothing is left", nothing_is_left, (int)(sizeof(rows) / sizeof(rows[0])));
	return s;
}
