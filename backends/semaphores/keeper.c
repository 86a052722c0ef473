// SPDX-License-Identifier: GPL-2.0
#include "backends/semaphores/keeper.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "compat/base/file.h"
#include "compat/base/scan.h"
#include "compat/user/binaries.h"

#define ROUND_MS	1000
#define RAISED_MOST	65536

/* ---- numbers in memory ---- */

/* Adds to the number, unless it would go beyond its bounds; false: that can't be done. */
static bool add(int memory, uint64_t at, int by)
{
	uint16_t n;

	if (pread(memory, &n, sizeof(n), (off_t)at) != sizeof(n))
		return false;
	if (n + by < 0 || n + by > UINT16_MAX)
		return true;
	n = (uint16_t)(n + by);
	return pwrite(memory, &n, sizeof(n), (off_t)at) == sizeof(n);
}

static bool is_zero(int memory, uint64_t at)
{
	uint16_t n;

	return pread(memory, &n, sizeof(n), (off_t)at) == sizeof(n) && !n;
}

/* ---- what was raised ---- */

static struct raised *raised_in(struct keeper *k, uint32_t pid, unsigned int wanted)
{
	for (unsigned int i = 0; i < k->n_raised; i++)
		if (k->raised[i].pid == pid && k->raised[i].wanted == wanted)
			return &k->raised[i];
	return NULL;
}

static bool keep(struct keeper *k, uint32_t pid, unsigned int wanted)
{
	if (k->n_raised == RAISED_MOST ||
	    array_room(&k->raised, k->n_raised, sizeof(*k->raised)))
		return false;
	k->raised[k->n_raised++] = (struct raised){ pid, wanted, true };
	return true;
}

/* Those that have ended. */
static void forget(struct keeper *k)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < k->n_raised; i++)
		if (k->raised[i].seen)
			k->raised[n++] = k->raised[i];
	k->n_raised = n;
	for (unsigned int i = 0; i < n; i++)
		k->raised[i].seen = false;
}

static uint32_t parent_of(uint32_t pid)
{
	char path[32], stat[512];
	const char *at;
	uint64_t parent;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	if (file_read(path, stat, sizeof(stat)) <= 0 || !(at = strrchr(stat, ')')) ||
	    strlen(at) < 4)
		return 0;
	at += 4;		/* behind ") S " */
	return scan_number(&at, UINT32_MAX, &parent) ? (uint32_t)parent : 0;
}

/*
 * A process that was forked has its parent's number, and one that has executed a program again
 * begins with 0.
 */
static void raise_one(struct keeper *k, uint32_t pid, unsigned int wanted, int memory, uint64_t at)
{
	struct raised *known = raised_in(k, pid, wanted);
	bool zero = is_zero(memory, at);

	if (known) {
		known->seen = true;
		if (zero)
			add(memory, at, 1);
		return;
	}
	if (!zero && raised_in(k, parent_of(pid), wanted)) {
		keep(k, pid, wanted);
		return;
	}
	if (!keep(k, pid, wanted))
		return;
	if (add(memory, at, 1))
		return;
	k->n_raised--;
	k->refused++;
}

/* ---- processes ---- */

bool keeper_mapping(const char *line, struct data_mapping *m)
{
	uint64_t major, minor;
	const char *at = line;
	char mode[5] = "";

	if (!scan_hex(&at, UINT64_MAX, &m->from) || !scan_text(&at, "-") ||
	    !scan_hex(&at, UINT64_MAX, &m->to) || !scan_text(&at, " ") ||
	    !scan_until(&at, " ", mode, sizeof(mode)) || !scan_text(&at, " ") ||
	    !scan_hex(&at, UINT64_MAX, &m->offset) || !scan_text(&at, " ") ||
	    !scan_hex(&at, UINT32_MAX, &major) || !scan_text(&at, ":") ||
	    !scan_hex(&at, UINT32_MAX, &minor) || !scan_text(&at, " ") ||
	    !scan_number(&at, UINT64_MAX, &m->ino))
		return false;
	m->major = (uint32_t)major;
	m->minor = (uint32_t)minor;
	return m->ino && mode[1] == 'w' && mode[3] == 'p';
}

/* On some file systems the device of a mapping is another than the file's: the link tells then. */
static bool is_of(uint32_t pid, const struct data_mapping *m, const struct wanted *w)
{
	struct stat file, mapped;
	char path[80];

	if (w->position < m->offset || w->position - m->offset + 2 > m->to - m->from ||
	    stat(w->binary->file, &file))
		return false;
	if (m->ino == file.st_ino && m->major == major(file.st_dev) &&
	    m->minor == minor(file.st_dev))
		return true;
	snprintf(path, sizeof(path), "/proc/%u/map_files/%llx-%llx", pid,
		 (unsigned long long)m->from, (unsigned long long)m->to);
	return !stat(path, &mapped) && mapped.st_ino == file.st_ino &&
	       mapped.st_dev == file.st_dev;
}

static void mapping(struct keeper *k, uint32_t pid, const struct data_mapping *m, int *memory)
{
	char path[32];

	for (unsigned int i = 0; i < k->n_wanted; i++) {
		const uint64_t at = m->from + (k->wanted[i].position - m->offset);

		if (!is_of(pid, m, &k->wanted[i]))
			continue;
		if (*memory < 0) {
			snprintf(path, sizeof(path), "/proc/%u/mem", pid);
			*memory = open(path, O_RDWR | O_CLOEXEC);
		}
		if (*memory < 0)
			k->refused++;
		else if (!k->lowers)
			raise_one(k, pid, i, *memory, at);
		else if (raised_in(k, pid, i))
			add(*memory, at, -1);
	}
}

static void process(struct keeper *k, uint32_t pid)
{
	char path[32], *line = NULL;
	struct data_mapping m;
	size_t size = 0;
	int memory = -1;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	maps = fopen(path, "re");
	while (maps && getline(&line, &size, maps) > 0)
		if (keeper_mapping(line, &m))
			mapping(k, pid, &m, &memory);
	if (maps)
		fclose(maps);
	if (memory >= 0)
		close(memory);
	free(line);
}

static void all_processes(struct keeper *k)
{
	DIR *dir = k->n_processes ? NULL : opendir("/proc");
	struct dirent *d;

	for (unsigned int i = 0; i < k->n_processes; i++)
		process(k, k->processes[i]);
	while (dir && (d = readdir(dir))) {
		const char *name = d->d_name;
		uint64_t pid;

		if (isdigit((unsigned char)*name) && scan_number(&name, UINT32_MAX, &pid))
			process(k, (uint32_t)pid);
	}
	if (dir)
		closedir(dir);
}

static void look(struct keeper *k)
{
	k->refused = 0;
	all_processes(k);
	forget(k);
}

void keeper_run(struct keeper *k, int alive, int ready)
{
	struct pollfd polled = { .fd = alive };
	struct keeper_said said;

	look(k);
	said = (struct keeper_said){ k->n_raised, k->refused };
	if (write(ready, &said, sizeof(said)) == sizeof(said))
		close(ready);
	while (poll(&polled, 1, ROUND_MS) <= 0 || !(polled.revents & (POLLHUP | POLLERR)))
		look(k);
	/* Those that were forked since the last look have a number to be lowered, too. */
	look(k);
	k->lowers = true;
	all_processes(k);
}
