// SPDX-License-Identifier: GPL-2.0
#include "src/lib/symbols/jit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "compat/base/clock.h"
#include "compat/base/scan.h"
#include "compat/user/guard.h"
#include "compat/user/task_stat.h"
#include "src/lib/symbols/readers/load.h"

#define JITS_MOST 256			/* processes; their files are held open */
#define SILENCE_MS 2000
#define TRY_MS 100			/* time between two searches for a file */
#define AGAIN_MS 1000			/* time between two looks at a file that may have grown */
#define STEP_S 1

struct jit {
	struct history_life life;
	int fd;				/* -1: none, or not yet */
	bool stale;			/* the file is of an earlier process with this id */
	int64_t tried;			/* last search for the file, ms; 0: none yet */
	int64_t looked;			/* last look at the open file, ms; 0: none yet */
	off_t size;			/* the file's size when it was read */
	struct table table;
};

struct jits {
	const volatile sig_atomic_t *stop;
	struct jit *list;
	uint32_t n;
	bool waiting;			/* files of some processes must be searched */
	int64_t now;			/* time of the last search, ms */
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

/* ---- opening, in a process of its own ---- */

struct owner {
	unsigned int pid;		/* in its own pid namespace */
	unsigned int uid, effective;
};

static bool read_owner(uint32_t pid, struct owner *o)
{
	char path[32], *line = NULL;
	size_t size = 0;
	bool found = false;
	uint64_t uid, effective;
	FILE *f;

	*o = (struct owner){ .pid = pid };
	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	f = fopen(path, "re");
	while (f && getline(&line, &size, f) > 0) {
		const char *at = line;

		if (scan_text(&at, "Uid: ") && scan_number(&at, UINT32_MAX, &uid) &&
		    scan_text(&at, " ") && scan_number(&at, UINT32_MAX, &effective)) {
			o->uid = (unsigned int)uid;
			o->effective = (unsigned int)effective;
			found = true;
		}
		/* the last id is of the innermost namespace; new in 4.1 */
		if (!strncmp(line, "NSpid:", 6) && strrchr(line, '\t'))
			o->pid = (unsigned int)strtoul(strrchr(line, '\t') + 1, NULL, 10);
	}
	free(line);
	if (f)
		fclose(f);
	return found;
}

/*
 * Nobody removes the file of a process that ended, and process ids are reused. A file that was last
 * written before the process began is of another process. STEP_S allows for small changes of the
 * system's clock. The owner can give the file any time, so it is not multiplied: that could
 * overflow.
 */
static bool is_stale(uint32_t pid, const struct stat *st)
{
	const int64_t booted = clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_BOOTTIME);
	struct task_stat s;
	uint64_t ticks;		/* from boot to the process's start, with the time of suspend */
	char path[32];

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	if (!task_stat_read(AT_FDCWD, path, &s) ||
	    !task_stat_number(&s, 22, INT64_MAX, &ticks))
		return false;
	return st->st_mtim.tv_sec < booted / NS_PER_SECOND +
	       (int64_t)ticks / sysconf(_SC_CLK_TCK) - STEP_S;
}

static int open_map(uint32_t pid, bool *stale)
{
	struct owner owner;
	struct stat st;
	char path[64];
	int fd;

	*stale = false;
	if (!read_owner(pid, &owner))
		return -1;
	snprintf(path, sizeof(path), "/proc/%u/root/tmp/perf-%u.map", pid, owner.pid);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode) ||
			(st.st_uid != owner.uid && st.st_uid != owner.effective))) {
		close(fd);
		fd = -1;
	}
	*stale = fd >= 0 && is_stale(pid, &st);
	if (*stale) {
		close(fd);
		fd = -1;
	}
	return fd;
}

struct opened {
	uint32_t at;			/* index in the list */
	uint32_t stale;
};

static bool is_due(const struct jit *j, int64_t now)
{
	return j->fd < 0 && (!j->tried || now - j->tried >= TRY_MS);
}

static void open_all(void *arg, int to)
{
	const struct jits *j = arg;

	for (uint32_t i = 0; i < j->n; i++) {
		bool stale = false;
		int fd = is_due(&j->list[i], j->now) ? open_map(j->list[i].life.pid, &stale) : -1;

		if (fd < 0 && !stale)
			continue;
		guard_send(to, &(struct opened){ i, stale }, sizeof(struct opened), fd);
		if (fd >= 0)
			close(fd);
	}
}

static void take_opened(void *arg, const void *message, size_t size, int fd)
{
	struct opened opened;
	struct jits *j = arg;

	memcpy(&opened, message, size == sizeof(opened) ? size : 0);
	if (size == sizeof(opened) && opened.at < j->n && j->list[opened.at].fd < 0) {
		j->list[opened.at].fd = fd;
		j->list[opened.at].stale = opened.stale;
	} else if (fd >= 0) {
		close(fd);
	}
}

void jits_open(struct jits *j)
{
	const struct guarded g = { .work = open_all, .take = take_opened, .arg = j,
				   .opens = true, .stop = j->stop, .ms = SILENCE_MS };

	if (!j->waiting)
		return;
	j->waiting = false;
	j->now = monotonic_ms();
	guard_run(&g);
	for (uint32_t i = 0; i < j->n; i++)
		if (is_due(&j->list[i], j->now))
			j->list[i].tried = j->now;
}

static bool has_ended(uint32_t pid)
{
	return kill((pid_t)pid, 0) && errno == ESRCH;
}

/*
 * Drops the processes without a file: they have no names to lose. If all have a file, drops the
 * processes that have ended.
 */
static void make_room(struct jits *j)
{
	bool all = true;
	uint32_t n = 0;

	jits_open(j);
	for (uint32_t i = 0; i < j->n; i++)
		all &= j->list[i].fd >= 0;
	for (uint32_t i = 0; i < j->n; i++) {
		struct jit *one = &j->list[i];

		if (all ? has_ended(one->life.pid) : one->fd < 0)
			close_jit(one);
		else
			j->list[n++] = *one;
	}
	j->n = n;
}

void jits_see(struct jits *j, const struct history_life *life)
{
	if (find(j, life))
		return;
	if (j->n == JITS_MOST)
		make_room(j);
	if (j->n == JITS_MOST)
		return;
	if (array_room(&j->list, j->n, sizeof(*j->list)))
		return;
	j->list[j->n++] = (struct jit){ .life = *life, .fd = -1 };
	j->waiting = true;
}

/* ---- asking ---- */

/* Since the last look the file may have been made, or may have grown. */
static void look_again(struct jits *all, struct jit *j, struct lacks *lacks)
{
	const int64_t now = monotonic_ms();
	struct error why;
	struct stat st;

	if (is_due(j, now)) {
		all->waiting = true;
		jits_open(all);
	}
	if (j->fd < 0 && j->stale)
		lacks_add(lacks, 0, "/tmp/perf-%u.map is older than the process: it is not read",
			  j->life.pid);
	if (j->fd < 0 || (j->looked && now - j->looked < AGAIN_MS))
		return;
	j->looked = now;
	if (fstat(j->fd, &st) || st.st_size == j->size)
		return;
	j->size = st.st_size;
	/* New code may be at the address of old code, so old names may be wrong. */
	table_free(&j->table);
	load_table(load_perf_map, &j->fd, j->fd, all->stop, &j->table, &why);
	if (*why.text)
		lacks_add(lacks, why.number, "/tmp/perf-%u.map: %s", j->life.pid, why.text);
}

bool jits_find(struct jits *j, const struct history_life *life, uint64_t address,
	       const char **name, uint64_t *offset, struct lacks *lacks)
{
	struct jit *one = find(j, life);

	if (!one) {
		jits_see(j, life);
		one = find(j, life);
	}
	if (!one) {
		lacks_add(lacks, 0, "more than %d processes have files /tmp/perf-PID.map: further "
				    "files are not read", JITS_MOST);
		return false;
	}
	look_again(j, one, lacks);
	return table_find(&one->table, address, false, name, offset);
}
