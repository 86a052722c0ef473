// SPDX-License-Identifier: GPL-2.0
/* The ground floor: files, growing arrays, clocks. */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "compat/base/clock.h"
#include "compat/base/file.h"
#include "compat/base/perf_event.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_base(void);

/* A pipe's end: files of others may also be such, which come in pieces and tell no size. */
static const char *piped(char path[32], int ends[2], const char *text)
{
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(write(ends[1], text, strlen(text)), (ssize_t)strlen(text));
	close(ends[1]);
	snprintf(path, 32, "/proc/self/fd/%d", ends[0]);
	return path;
}

START_TEST(whole)
{
	char path[32], text[16], *all;
	size_t length;
	int ends[2];

	ck_assert_int_eq(file_read(piped(path, ends, "three\nlines\n"), text, sizeof(text)), 12);
	ck_assert_str_eq(text, "three\nlines\n");
	close(ends[0]);
	piped(path, ends, "of 16 bytes, one");
	ck_assert_int_eq(file_read(path, text, sizeof(text)), -EFBIG);
	close(ends[0]);
	all = file_text(piped(path, ends, "a\nb"), 100, &length);
	ck_assert_str_eq(all, "a\nb");
	ck_assert_uint_eq(length, 3);
	free(all);
	close(ends[0]);
	ck_assert_int_eq(file_read("/proc/self/none", text, sizeof(text)), -ENOENT);
	ck_assert_ptr_null(file_text("/proc/self/none", 100, NULL));
	ck_assert_int_eq(errno, ENOENT);
}
END_TEST

START_TEST(beginning)
{
	char path[32], text[8];
	int ends[2];

	ck_assert(file_line(piped(path, ends, "a line\nand more"), text, sizeof(text)));
	ck_assert_str_eq(text, "a line");
	close(ends[0]);
	piped(path, ends, "longer than that");
	ck_assert_int_eq(file_begin(AT_FDCWD, path, text, sizeof(text)), 7);
	ck_assert_str_eq(text, "longer ");
	close(ends[0]);
	ck_assert_int_eq(file_begin(AT_FDCWD, "/proc/self/none", text, sizeof(text)), -ENOENT);
	ck_assert_str_eq(text, "");
	ck_assert(!file_line("/proc/self/none", text, sizeof(text)));
	ck_assert(file_line(piped(path, ends, "6 byte\n"), text, sizeof(text)));
	ck_assert_str_eq(text, "6 byte");
	close(ends[0]);
	ck_assert(!file_line(piped(path, ends, "7 bytes\n"), text, sizeof(text)));
	ck_assert_str_eq(text, "");
	close(ends[0]);
}
END_TEST

START_TEST(links)
{
	char folder[] = "/tmp/sonde-links-XXXXXX", to[8];
	int dir;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	dir = open(folder, O_RDONLY | O_DIRECTORY);
	ck_assert_int_eq(symlinkat("7 bytes", dir, "short"), 0);
	ck_assert_int_eq(symlinkat("8 bytes.", dir, "long"), 0);
	ck_assert_int_eq(file_link(dir, "short", to, sizeof(to)), 7);
	ck_assert_str_eq(to, "7 bytes");
	ck_assert_int_eq(file_link(dir, "long", to, sizeof(to)), -ENAMETOOLONG);
	ck_assert_str_eq(to, "");
	ck_assert_int_eq(file_link(dir, "none", to, sizeof(to)), -ENOENT);
	ck_assert_str_eq(to, "");
	unlinkat(dir, "short", 0);
	unlinkat(dir, "long", 0);
	close(dir);
	rmdir(folder);
}
END_TEST

START_TEST(writing)
{
	ck_assert_int_eq(file_write("/proc/self/none", "x"), -ENOENT);
	ck_assert_int_eq(file_write("/dev/full", "x"), -ENOSPC);
	ck_assert_int_eq(file_write("/dev/null", "x"), 0);
}
END_TEST

static volatile unsigned int alarms;

static void on_alarm(int number)
{
	(void)number;
	alarms++;
}

/* Signals make it neither shorter nor endless. */
START_TEST(sleeping)
{
	const struct itimerval often = { { .tv_usec = 1000 }, { .tv_usec = 1000 } };
	struct sigaction action = { .sa_handler = on_alarm };
	const uint64_t began = monotonic_ns();

	ck_assert(!sigaction(SIGALRM, &action, NULL) && !setitimer(ITIMER_REAL, &often, NULL));
	sleep_ns(30 * NS_PER_MS);
	ck_assert_uint_ge(monotonic_ns() - began, 30 * NS_PER_MS);
	ck_assert_uint_gt(alarms, 1);
	ck_assert(!setitimer(ITIMER_REAL, &(struct itimerval){ }, NULL));
}
END_TEST

START_TEST(arrays)
{
	uint32_t *list = NULL;
	unsigned int n = 0;

	for (; n < 1000; n++) {
		ck_assert_int_eq(array_room(&list, n, sizeof(*list)), 0);
		list[n] = n;
	}
	/* What was taken back comes again. */
	for (n = 3; n < 40; n++) {
		ck_assert_int_eq(array_room(&list, n, sizeof(*list)), 0);
		list[n] = n;
	}
	for (unsigned int i = 0; i < n; i++)
		ck_assert_uint_eq(list[i], i);
	free(list);
}
END_TEST

START_TEST(no_room)
{
	char one = 'x', *list = &one;

	ck_assert_int_eq(array_room(&list, (size_t)1 << (8 * sizeof(size_t) - 2), 8), -1);
	ck_assert_ptr_eq(list, &one);
}
END_TEST

START_TEST(clocks)
{
	uint64_t before = monotonic_ns();
	int64_t ms = monotonic_ms(), now = clock_ns(CLOCK_MONOTONIC);

	ck_assert_uint_ge((uint64_t)ms, before / NS_PER_MS);
	ck_assert_int_ge(now, (int64_t)before);
	ck_assert_int_ge(clock_ns(CLOCK_BOOTTIME), now);
	ck_assert_int_gt(clock_ns(CLOCK_REALTIME), 1500000000 * NS_PER_SECOND);
}
END_TEST

/* Whoever may open events: the size is set, and no program that is run inherits the file. */
START_TEST(events)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .exclude_kernel = 1,
	};
	int fd = perf_event_open(&attr, 0, ANY_CPU);

	ck_assert_uint_eq(attr.size, sizeof(attr));
	if (fd >= 0)
		ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	if (fd >= 0)
		close(fd);
}
END_TEST

Suite *suite_base(void)
{
	Suite *suite = suite_create("base");

	add_tests(suite, "whole files", whole, 1);
	add_tests(suite, "beginnings", beginning, 1);
	add_tests(suite, "links", links, 1);
	add_tests(suite, "writing", writing, 1);
	add_tests(suite, "arrays", arrays, 1);
	add_tests(suite, "no room", no_room, 1);
	add_tests(suite, "clocks", clocks, 1);
	add_tests(suite, "sleeping", sleeping, 1);
	add_tests(suite, "events", events, 1);
	return suite;
}
