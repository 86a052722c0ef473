// SPDX-License-Identifier: GPL-2.0
#include "src/bt/run/items.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/base/scan.h"
#include "compat/base/text.h"
#include "src/toolkit/proc.h"

/* Of the kernel's flags of tasks. */
#define WORKER 0x20			/* PF_WQ_WORKER */
#define COMM 15				/* letters of a task's name */

const char *const bt_walk_names[BT_WALKS] = { "task", "task_file", "task_vma" };

/* ---- members ---- */

static bool number(const struct bt_item *i, const struct bt_member *m, uint64_t *to)
{
	return task_stat_number(&i->stat, m->field, UINT64_MAX, to);
}

#define OF_ITEM(MEMBER) \
static bool MEMBER(const struct bt_item *i, const struct bt_member *m, uint64_t *to) \
{ \
	(void)m; \
	*to = i->MEMBER; \
	return true; \
}

OF_ITEM(tid)
OF_ITEM(tgid)
OF_ITEM(fd)
OF_ITEM(start)
OF_ITEM(end)

/* Reads the number behind this word in a file of the task. */
static bool in_file(const struct bt_item *i, const char *file, const char *word, uint64_t *to)
{
	char text[4096];
	const char *at;

	if (file_begin(i->threads, file, text, sizeof(text)) <= 0)
		return false;
	at = strstr(text, word);
	return at && scan_text(&at, word) && scan_text(&at, " ") &&
	       scan_number(&at, UINT64_MAX, to);
}

static bool switches(const struct bt_item *i, const struct bt_member *m, uint64_t *to)
{
	char file[32];

	snprintf(file, sizeof(file), "%u/status", i->tid);
	return in_file(i, file, m->field ? "\nnonvoluntary_ctxt_switches:" :
		       "\nvoluntary_ctxt_switches:", to);
}

static bool position(const struct bt_item *i, const struct bt_member *m, uint64_t *to)
{
	char file[64];

	(void)m;
	snprintf(file, sizeof(file), "%u/fdinfo/%llu", i->tid, (unsigned long long)i->fd);
	return in_file(i, file, "pos:", to);
}

/*
 * Since 4.18 the kernel shows more than the name of its own tasks: behind that of a worker what it
 * works at, and since 5.17 a name that was cut.
 */
static bool comm(const struct bt_item *i, char *to, size_t size)
{
	const char *begin = strchr(i->stat.text, '(') + 1;
	size_t n = (size_t)(i->stat.state - 2 - begin);
	uint64_t flags;

	if (!task_stat_number(&i->stat, 9, UINT32_MAX, &flags))
		return false;
	if (flags & WORKER && strncmp(begin, "kworker/R-", 10))
		for (size_t k = 0; k < n; k++)
			if (begin[k] == '+' || begin[k] == '-')
				n = k;
	n = n < COMM ? n : COMM;
	memcpy(to, begin, n < size ? n : size - 1);
	return true;
}

static bool file_path(const struct bt_item *i, char *to, size_t size)
{
	char link[64];

	snprintf(link, sizeof(link), "%u/fd/%llu", i->tid, (unsigned long long)i->fd);
	return file_link(i->threads, link, to, size) >= 0;
}

static bool mapped_path(const struct bt_item *i, char *to, size_t size)
{
	const size_t n = strlen(i->path);

	memcpy(to, i->path, n < size ? n : size - 1);
	return !i->pathless;
}

#define ALL	7
#define FILES	(1 << BT_WALK_FILE)
#define MAPPED	(1 << BT_WALK_MAPPING)
#define OF_STAT(NAME, SIZE, SIGNED, FIELD) \
	{ "task." NAME, ALL, SIZE, SIGNED, .field = FIELD, .number = number }

static const struct bt_member members[] = {
	{ "task.pid", ALL, 4, true, .number = tid },
	{ "task.tgid", ALL, 4, true, .number = tgid },
	{ "task.comm", ALL, .text = comm },
	{ "task.group_leader.pid", ALL, 4, true, .number = tgid },
	{ "task.group_leader.tgid", ALL, 4, true, .number = tgid },
	OF_STAT("real_parent.tgid", 4, true, 4),
	OF_STAT("flags", 4, false, 9),
	OF_STAT("signal.nr_threads", 4, true, 20),
	OF_STAT("rt_priority", 4, false, 40),
	OF_STAT("policy", 4, false, 41),
	{ "task.nvcsw", ALL, 8, false, .number = switches },
	{ "task.nivcsw", ALL, 8, false, .field = true, .number = switches },
	{ "fd", FILES, 4, false, .number = fd },
	{ "file.f_pos", FILES, 8, true, .number = position },
	{ "file.f_path", FILES, .is_path = true, .text = file_path },
	{ "vma.vm_start", MAPPED, 8, false, .number = start },
	{ "vma.vm_end", MAPPED, 8, false, .number = end },
	{ "vma.vm_file.f_path", MAPPED, .is_path = true, .text = mapped_path },
};

const struct bt_member *bt_member_row(unsigned int row)
{
	return row < sizeof(members) / sizeof(members[0]) ? &members[row] : NULL;
}

/* ---- items ---- */

struct walk {
	struct bt_item item;
	bool (*each)(void *arg, const struct bt_item *item);
	void *arg;
	uint64_t unread;
	bool left;
};

static void show(struct walk *w)
{
	w->left |= !w->each(w->arg, &w->item);
}

/* A task that has ended has no files. */
static void failed(struct walk *w)
{
	w->unread += errno != ENOENT && errno != ESRCH;
}

/* Opens a file or directory of the task. */
static int open_of(const struct walk *w, const char *name)
{
	char path[32];

	text_all(path, sizeof(path), "%u/%s", w->item.tid, name);
	return openat(w->item.threads, path, O_RDONLY | O_CLOEXEC);
}

static void not_opened(struct walk *w, int file)
{
	failed(w);
	if (file >= 0)
		close(file);
}

static void each_file(struct walk *w)
{
	const int file = open_of(w, "fd");
	DIR *list = file < 0 ? NULL : fdopendir(file);
	struct dirent *d;

	if (!list) {
		not_opened(w, file);
		return;
	}
	errno = 0;
	while (!w->left && (d = readdir(list))) {
		if (!isdigit((unsigned char)*d->d_name))
			continue;
		w->item.fd = strtoull(d->d_name, NULL, 10);
		show(w);
		errno = 0;
	}
	failed(w);
	closedir(list);
}

/*
 * START-END rwxp OFFSET MAJOR:MINOR INODE NAME. A name in brackets is no file's; with an inode it
 * is the name that a program gave to memory that it shares. A last line may be of a page of the
 * kernel, which is no mapping of the task.
 */
static bool mapping(struct bt_item *i, const char *line)
{
	uint64_t unused, inode;
	char word[24];
	size_t n;

	if (!scan_hex(&line, UINT64_MAX, &i->start) || !scan_text(&line, "-") ||
	    !scan_hex(&line, UINT64_MAX, &i->end) || !scan_text(&line, " ") ||
	    !scan_until(&line, " ", word, sizeof(word)) || !scan_text(&line, " ") ||
	    !scan_hex(&line, UINT64_MAX, &unused) || !scan_text(&line, " ") ||
	    !scan_until(&line, " ", word, sizeof(word)) || !scan_text(&line, " ") ||
	    !scan_number(&line, UINT64_MAX, &inode))
		return false;
	while (*line == ' ')
		line++;
	n = strcspn(line, "\n");
	if (n && (!strncmp(line, "[vsyscall]", n) || !strncmp(line, "[vectors]", n)))
		return false;
	i->pathless = *line == '[' && inode;
	if (*line == '[')
		n = 0;
	n = n < sizeof(i->path) ? n : sizeof(i->path) - 1;
	memcpy(i->path, line, n);
	i->path[n] = '\0';
	return true;
}

static void each_mapping(struct walk *w)
{
	const int file = open_of(w, "maps");
	FILE *from = file < 0 ? NULL : fdopen(file, "r");
	char *line = NULL;
	size_t size = 0;

	if (!from) {
		not_opened(w, file);
		return;
	}
	errno = 0;
	while (!w->left && getline(&line, &size, from) > 0) {
		if (mapping(&w->item, line))
			show(w);
		errno = 0;
	}
	failed(w);
	free(line);
	fclose(from);
}

/* Returns true if a thread's files are those of its process. Old kernels can't tell all. */
static bool shares_files(const struct bt_item *i)
{
	return i->tid != i->tgid &&
	       syscall(SYS_kcmp, i->tgid, i->tid, KCMP_FILES, 0, 0) <= 0;
}

static void each_item(void *arg, uint32_t tid, uint32_t tgid, int threads)
{
	struct walk *w = arg;
	struct bt_item *i = &w->item;
	char path[32];

	if (w->left)
		return;
	i->tid = tid;
	i->tgid = tgid;
	i->threads = threads;
	snprintf(path, sizeof(path), "%u/stat", tid);
	if ((i->walk != BT_WALK_TASK && shares_files(i)) ||
	    !task_stat_read(threads, path, &i->stat))
		return;
	if (i->walk == BT_WALK_TASK)
		show(w);
	else if (i->walk == BT_WALK_FILE)
		each_file(w);
	else
		each_mapping(w);
}

int bt_walk(enum bt_walk walk, bool (*each)(void *arg, const struct bt_item *item), void *arg,
	    uint64_t *unread, struct error *err)
{
	struct walk w = { .item = { .walk = walk }, .each = each, .arg = arg };
	const int result = proc_each_task(each_item, &w, err);

	*unread += w.unread;
	return result;
}
