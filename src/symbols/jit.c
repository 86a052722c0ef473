// SPDX-License-Identifier: GPL-2.0
#include "src/symbols/jit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "compat/base/clock.h"
#include "compat/base/scan.h"
#include "compat/user/guard.h"
#include "src/symbols/readers/load.h"

#define JITS_MOST 256			/* processes; their files are held open */
#define SILENCE_MS 2000
#define AGAIN_MS 1000			/* how often a file is looked at that may have grown */

struct jit {
	struct history_life life;
	int fd;				/* -1: none, or not yet */
	int64_t looked;			/* when, ms */
	off_t size;			/* of what was read */
	struct table table;
};

struct jits {
	const volatile sig_atomic_t *stop;
	struct jit *list;
	uint32_t n;
	bool waiting;			/* some may have a file and were not looked at */
};

struct jits *jits_new(const volatile sig_atomic_t *stop)
{
	struct jits *j = calloc(1, sizeof(*j));

	if (j)
		j->stop = stop;
	return j;
}

static void close_jit(struct jit *j)
{
	if (j->fd >= 0)
		close(j->fd);
	table_free(&j->table);
}

void jits_free(struct jits *j)
{
	if (!j)
		return;
	for (uint32_t i = 0; i < j->n; i++)
		close_jit(&j->list[i]);
	free(j->list);
	free(j);
}

static struct jit *find(struct jits *j, const struct history_life *life)
{
	for (uint32_t i = 0; i < j->n; i++)
		if (j->list[i].life.pid == life->pid && j->list[i].life.from == life->from)
			return &j->list[i];
	return NULL;
}

void jits_see(struct jits *j, const struct history_life *life)
{
	if (find(j, life))
		return;
	if (j->n == JITS_MOST) {		/* the first to come is the first to go */
		close_jit(j->list);
		memmove(j->list, j->list + 1, --j->n * sizeof(*j->list));
	}
	if (array_room(&j->list, j->n, sizeof(*j->list)))
		return;
	j->list[j->n++] = (struct jit){ .life = *life, .fd = -1 };
	j->waiting = true;
}

/* ---- opening, in a process of its own ---- */

struct owner {
	unsigned int pid;		/* in its own pid namespace */
	unsigned int uid, effective;
};

static bool read_owner(uint32_t pid, struct owner *o)
{
	char path[32], line[256];
	bool found = false;
	uint64_t uid, effective;
	FILE *f;

	*o = (struct owner){ .pid = pid };
	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		const char *at = line;

		if (scan_text(&at, "Uid: ") && scan_number(&at, UINT32_MAX, &uid) &&
		    scan_text(&at, " ") && scan_number(&at, UINT32_MAX, &effective)) {
			o->uid = (unsigned int)uid;
			o->effective = (unsigned int)effective;
			found = true;
		}
		/* the last is the innermost; 4.1 */
		if (!strncmp(line, "NSpid:", 6) && strrchr(line, '\t'))
			o->pid = (unsigned int)strtoul(strrchr(line, '\t') + 1, NULL, 10);
	}
	if (f)
		fclose(f);
	return found;
}

static int open_map(uint32_t pid)
{
	struct owner owner;
	struct stat st;
	char path[64];
	int fd;

	if (!read_owner(pid, &owner))
		return -1;
	snprintf(path, sizeof(path), "/proc/%u/root/tmp/perf-%u.map", pid, owner.pid);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode) ||
			(st.st_uid != owner.uid && st.st_uid != owner.effective))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static void open_all(void *arg, int to)
{
	const struct jits *j = arg;

	for (uint32_t i = 0; i < j->n; i++) {
		int fd = j->list[i].fd < 0 ? open_map(j->list[i].life.pid) : -1;

		if (fd < 0)
			continue;
		guard_send(to, &i, sizeof(i), fd);
		close(fd);
	}
}

static void take_opened(void *arg, const void *message, size_t size, int fd)
{
	struct jits *j = arg;
	uint32_t i;

	memcpy(&i, message, size == sizeof(i) ? size : 0);
	if (size == sizeof(i) && i < j->n && j->list[i].fd < 0)
		j->list[i].fd = fd;
	else if (fd >= 0)
		close(fd);
}

void jits_open(struct jits *j)
{
	const struct guarded g = { .work = open_all, .take = take_opened, .arg = j,
				   .stop = j->stop, .ms = SILENCE_MS };

	if (j->waiting)
		guard_run(&g);
	j->waiting = false;
}

/* ---- asking ---- */

/* It may have been made, or have grown, since it was looked at. */
static void look_again(struct jits *all, struct jit *j, struct lines *lacks)
{
	const int64_t now = monotonic_ms();
	char why[TABLE_WHY];
	struct stat st;

	if (j->looked && now - j->looked < AGAIN_MS)
		return;
	j->looked = now;
	if (j->fd < 0) {
		all->waiting = true;
		jits_open(all);
	}
	if (j->fd < 0 || fstat(j->fd, &st) || st.st_size == j->size)
		return;
	j->size = st.st_size;
	/* Code that is new may be where other code was: the names of before are no longer right. */
	table_free(&j->table);
	load_table(load_perf_map, &j->fd, all->stop, &j->table, why);
	if (*why)
		lines_add(lacks, "/tmp/perf-%u.map: %s", j->life.pid, why);
}

bool jits_find(struct jits *j, const struct history_life *life, uint64_t address,
	       const char **name, uint64_t *offset, struct lines *lacks)
{
	struct jit *one = find(j, life);

	if (!one) {
		jits_see(j, life);
		one = find(j, life);
	}
	if (!one)
		return false;
	look_again(j, one, lacks);
	return table_find(&one->table, address, false, name, offset);
}
