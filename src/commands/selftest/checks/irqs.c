// SPDX-License-Identifier: GPL-2.0
/*
 * softirqs, softirqslower, hardirqs: the kernel counts its interrupts itself. The tool must have
 * seen as many as there were while the workload ran, and no more than from before its start until
 * now.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "compat/base/text.h"
#include "src/commands/selftest/selftest.h"

struct state {
	const char *file;
	int64_t before;
};

/*
 * The sum of all counts of /proc/softirqs, or of the numbered lines of /proc/interrupts that name a
 * handler; other lines have none. Each line is "NAME:" and a count for each CPU. -1: it can't be
 * read.
 */
static int64_t counted(const char *file, bool numbered)
{
	FILE *f = fopen(file, "re");
	char *line = NULL, *next;
	size_t size = 0;
	int64_t sum = 0;

	if (!f)
		return -1;
	while (getline(&line, &size, f) > 0) {
		char *at = strchr(line, ':'), *name = line + strspn(line, " ");
		int64_t n = 0, count;

		if (!at || (numbered && (*name < '0' || *name > '9')))
			continue;
		for (at++;; at = next) {
			count = strtoll(at, &next, 10);
			if (next == at || !strchr(" \n", *next))
				break;
			n += count;
		}
		if (!numbered || *(at + strspn(at, " \n")))
			sum += n;
	}
	free(line);
	fclose(f);
	return sum;
}

static int prepare(struct work *w, const char *file, bool numbered)
{
	struct state *s = w->state;

	s->file = file;
	s->before = counted(file, numbered);
	return s->before < 0 ? not_here(w, "%s: %s", file, strerror(errno)) : 0;
}

/* A disk to read from with O_DIRECT; a disk without hardware makes no interrupts. -1: none. */
static int open_disk(void)
{
	DIR *disks = opendir("/sys/block");
	const struct dirent *e;
	char path[300];
	int fd = -1;

	while (disks && fd < 0 && (e = readdir(disks))) {
		text_all(path, sizeof(path), "/sys/block/%s/device", e->d_name);
		if (access(path, F_OK))
			continue;
		text_all(path, sizeof(path), "/dev/%s", e->d_name);
		fd = open(path, O_RDONLY | O_DIRECT | O_NONBLOCK | O_CLOEXEC);
	}
	if (disks)
		closedir(disks);
	return fd;
}

/* Interrupts of timers; and of a disk, if there is one, or the folder is on one. */
static int work(struct work *w, bool numbered)
{
	char block[4096] __attribute__((aligned(4096))) = { 0 };
	const struct state *s = w->state;
	int64_t begin = counted(s->file, numbered);
	int disk = open_disk(), fd;
	char path[4096];

	text_all(path, sizeof(path), "%s/file", w->folder);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	for (int i = 0; i < 50; i++) {
		nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
		if (pread(disk, block, sizeof(block), 0) < 0 && i % 10 == 0 &&
		    pwrite(fd, block, sizeof(block), 0) == sizeof(block))
			fsync(fd);
	}
	close(disk);
	close(fd);
	say_integer(w, "before", s->before);
	say_integer(w, "least", counted(s->file, numbered) - begin);
	return 0;
}

/* `seen`: how many of these interrupts the tool has seen. */
static void compare(struct found *f, const char *file, bool numbered, int64_t seen)
{
	int64_t most = counted(file, numbered) - said_integer(f, "before"),
		least = said_integer(f, "least");

	/*
	 * Of handlers that share a line only one is counted, and spurious interrupts are not. The
	 * kernel runs no BPF program for an interrupt that comes while one runs.
	 */
	least -= numbered ? least / 5 : least / 20;
	if (!least)
		cell_verdict(f->cell, VERDICT_NOT_HERE,
			     "no interrupt came to a handler while it worked");
	else
		found_between(f, "interrupts", least, seen, most);
}

static void check(struct found *f, const char *file, bool numbered)
{
	int64_t n = 0;

	if (!f->rows.n || found_sum(f, "total_count", &n))
		compare(f, file, numbered, n);
}

static int prepare_soft(struct work *w)
{
	return prepare(w, "/proc/softirqs", false);
}

static int work_soft(struct work *w)
{
	return work(w, false);
}

static void check_soft(struct found *f)
{
	check(f, "/proc/softirqs", false);
}

/* Each soft interrupt has a row that says how long it ran; with 0 all are slow. */
static void check_slower(struct found *f)
{
	int64_t n = 0;

	for (size_t i = 0; i < f->rows.n; i++) {
		struct json value;
		char stage[8];

		n += json_member(f->rows.rows[i], "stage", &value) &&
		     json_text(value, stage, sizeof(stage)) && !strcmp(stage, "run");
	}
	compare(f, "/proc/softirqs", false, n);
}

static int prepare_hard(struct work *w)
{
	return prepare(w, "/proc/interrupts", true);
}

static int work_hard(struct work *w)
{
	return work(w, true);
}

static void check_hard(struct found *f)
{
	check(f, "/proc/interrupts", true);
}

static const char *const options[] = { "-C", NULL }, *const every[] = { "0", NULL };

static const struct selftest_part soft_parts[] = {
	{ NULL, options, NULL, prepare_soft, work_soft, check_soft },
	{ }
}, slower_parts[] = {
	{ NULL, every, NULL, prepare_soft, work_soft, check_slower },
	{ }
}, hard_parts[] = {
	{ NULL, options, NULL, prepare_hard, work_hard, check_hard },
	{ }
};

SELFTEST(softirqs, soft_parts, .machine_wide = true, .state_size = sizeof(struct state));
SELFTEST(softirqslower, slower_parts, .machine_wide = true, .state_size = sizeof(struct state));
SELFTEST(hardirqs, hard_parts, .machine_wide = true, .state_size = sizeof(struct state));
