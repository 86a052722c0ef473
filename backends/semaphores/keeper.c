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
#include "compat/base/scan.h"
#include "compat/binaries/binaries.h"
#include "compat/user/task_stat.h"

#define RAISED_MOST	65536
#define GENERATIONS_MOST 64

/* ---- numbers in memory ---- */

static bool get(int memory, uint64_t at, uint16_t *n)
{
	return pread(memory, n, sizeof(*n), (off_t)at) == sizeof(*n);
}

/*
 * Adds to the number, unless the result would be out of bounds. Returns false if the memory can't
 * be read or written.
 */
static bool add(int memory, uint64_t at, int by)
{
	uint16_t n;

	if (!get(memory, at, &n))
		return false;
	if (n + by < 0 || n + by > UINT16_MAX)
		return true;
	n = (uint16_t)(n + by);
	return pwrite(memory, &n, sizeof(n), (off_t)at) == sizeof(n);
}

/* ---- processes ---- */

/* Returns 0 if the process does not exist. */
static uint32_t parent_of(uint32_t pid)
{
	struct task_stat s;
	char path[32];
	uint64_t n;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	return task_stat_read(AT_FDCWD, path, &s) && task_stat_number(&s, 4, UINT32_MAX, &n) ?
	       (uint32_t)n : 0;
}

static bool lives(uint32_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	return task_lives(AT_FDCWD, path);
}

/* Returns true if sonde was asked to raise semaphores in this process. */
static bool is_asked(const struct keeper *k, uint32_t pid)
{
	for (unsigned int i = 0; i < k->n_processes; i++)
		if (k->processes[i] == pid)
			return true;
	return !k->n_processes;
}

/* ---- raised semaphores ---- */

static struct raised *raised_in(struct keeper *k, uint32_t pid, unsigned int wanted)
{
	for (unsigned int i = 0; i < k->n_raised; i++)
		if (k->raised[i].pid == pid && k->raised[i].wanted == wanted)
			return &k->raised[i];
	return NULL;
}

static bool any_raised_in(const struct keeper *k, uint32_t pid)
{
	for (unsigned int i = 0; i < k->n_raised; i++)
		if (k->raised[i].pid == pid)
			return true;
	return false;
}

static bool keep(struct keeper *k, uint32_t pid, unsigned int wanted, uint16_t number)
{
	if (k->n_raised == RAISED_MOST ||
	    array_room(&k->raised, k->n_raised, sizeof(*k->raised)))
		return false;
	k->raised[k->n_raised++] = (struct raised){ pid, wanted, number, true };
	return true;
}

/*
 * Forgets the semaphores that were not seen in this round: their process has ended, or runs another
 * program.
 */
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

/*
 * Returns true if the number is a copy of a parent's number, which sonde has raised: a forked
 * process begins with it. The parent may have ended since the last look. Any other number that is
 * not 0 is of other tracers of the probe.
 */
static bool is_inherited(struct keeper *k, uint32_t pid, unsigned int wanted, uint16_t number)
{
	uint32_t parent = parent_of(pid);

	for (unsigned int i = 0; parent && i < GENERATIONS_MOST; i++) {
		const struct raised *r = raised_in(k, parent, wanted);

		if (r)
			return r->number == number;
		parent = parent_of(parent);
	}
	for (unsigned int i = 0; i < k->n_raised; i++) {
		const struct raised *r = &k->raised[i];

		if (!r->seen && r->wanted == wanted && r->number == number && !lives(r->pid))
			return true;
	}
	return false;
}

/* Raises one semaphore. A known process that has executed the program again has 0 there. */
static void raise_one(struct keeper *k, uint32_t pid, unsigned int wanted, int memory, uint64_t at)
{
	struct raised *known = raised_in(k, pid, wanted);
	const bool asked = is_asked(k, pid);
	uint16_t n = 0;

	if (!get(memory, at, &n)) {
		k->refused += asked;
		return;
	}
	if (known) {
		known->seen = n || asked;
		known->number = n ? n : 1;
		if (!n && asked)
			add(memory, at, 1);
		return;
	}
	if (n && is_inherited(k, pid, wanted, n)) {
		keep(k, pid, wanted, n);
		return;
	}
	if (!asked || !keep(k, pid, wanted, (uint16_t)(n + 1)))
		return;
	if (add(memory, at, 1))
		return;
	k->n_raised--;
	k->refused++;
}

/* ---- mappings ---- */

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

/*
 * Returns true if the mapping is of the wanted file, and has the semaphore. On some file systems a
 * mapping shows another device than its file: the link in map_files leads to the file then.
 */
static bool is_of(uint32_t pid, const struct data_mapping *m, const struct wanted *w)
{
	struct stat mapped;
	char path[80];

	if (!w->ino || w->position < m->offset ||
	    w->position - m->offset + 2 > m->to - m->from)
		return false;
	if (m->ino == w->ino && m->major == w->major && m->minor == w->minor)
		return true;
	snprintf(path, sizeof(path), "/proc/%u/map_files/%llx-%llx", pid,
		 (unsigned long long)m->from, (unsigned long long)m->to);
	return !stat(path, &mapped) && mapped.st_ino == w->ino &&
	       major(mapped.st_dev) == w->major && minor(mapped.st_dev) == w->minor;
}

/*
 * Returns true if the process has mapped a wanted semaphore. Raises or lowers these semaphores in
 * its memory, unless `memory` is -1.
 */
static bool mappings(struct keeper *k, uint32_t pid, int memory)
{
	char path[32], *line = NULL;
	struct data_mapping m;
	bool any = false;
	size_t size = 0;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	maps = fopen(path, "re");
	while (maps && getline(&line, &size, maps) > 0)
		for (unsigned int i = 0; keeper_mapping(line, &m) && i < k->n_wanted; i++) {
			const uint64_t at = m.from + (k->wanted[i].position - m.offset);

			if (!is_of(pid, &m, &k->wanted[i]))
				continue;
			any = true;
			if (memory >= 0 && !k->lowers)
				raise_one(k, pid, i, memory, at);
			else if (memory >= 0 && raised_in(k, pid, i))
				add(memory, at, -1);
		}
	if (maps)
		fclose(maps);
	free(line);
	return any;
}

/*
 * Returns true if the process may have semaphores to raise or to lower. A process that sonde was
 * not asked for has such a semaphore only as a forked child of another process.
 */
static bool may_concern(const struct keeper *k, uint32_t pid)
{
	if (k->lowers)
		return any_raised_in(k, pid);
	if (is_asked(k, pid) || k->ended || any_raised_in(k, pid))
		return true;
	return any_raised_in(k, parent_of(pid));
}

/*
 * /proc/PID/mem is the memory of the program that the process runs when the file is opened. So the
 * mappings are read again then: the process may have executed another program since.
 */
static void process(struct keeper *k, uint32_t pid)
{
	char path[32];
	int memory;

	if (!may_concern(k, pid) || !mappings(k, pid, -1))
		return;
	snprintf(path, sizeof(path), "/proc/%u/mem", pid);
	memory = open(path, O_RDWR | O_CLOEXEC);
	if (memory >= 0) {
		mappings(k, pid, memory);
		close(memory);
	} else {
		k->refused += is_asked(k, pid);
	}
}

static void all_processes(struct keeper *k)
{
	DIR *dir = opendir("/proc");
	struct dirent *d;

	while (dir && (d = readdir(dir))) {
		const char *name = d->d_name;
		uint64_t pid;

		if (isdigit((unsigned char)*name) && scan_number(&name, UINT32_MAX, &pid))
			process(k, (uint32_t)pid);
	}
	if (dir)
		closedir(dir);
}

/*
 * The children of a process that has ended have another parent now, so all processes are looked at.
 */
static void look_for_ended(struct keeper *k)
{
	k->ended = false;
	for (unsigned int i = 0; k->n_processes && !k->ended && i < k->n_raised; i++)
		k->ended = !lives(k->raised[i].pid);
}

static void look(struct keeper *k)
{
	k->refused = 0;
	look_for_ended(k);
	all_processes(k);
	forget(k);
}

static void find_files(struct keeper *k)
{
	for (unsigned int i = 0; i < k->n_wanted; i++) {
		struct stat st = { };

		if (stat(k->wanted[i].binary->file, &st))
			continue;
		k->wanted[i].ino = st.st_ino;
		k->wanted[i].major = major(st.st_dev);
		k->wanted[i].minor = minor(st.st_dev);
	}
}

void keeper_run(struct keeper *k, int alive, int ready)
{
	struct pollfd polled = { .fd = alive };
	struct keeper_said said;

	find_files(k);
	look(k);
	said = (struct keeper_said){ k->n_raised, k->refused };
	if (write(ready, &said, sizeof(said)) == sizeof(said))
		close(ready);
	while (poll(&polled, 1, k->round_ms) <= 0 || !(polled.revents & (POLLHUP | POLLERR)))
		look(k);
	/* Processes that were forked since the last look have semaphores to lower, too. */
	look(k);
	k->lowers = true;
	all_processes(k);
}
