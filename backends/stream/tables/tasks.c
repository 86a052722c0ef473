// SPDX-License-Identifier: GPL-2.0
#include "backends/stream/tables/tasks.h"

#include <linux/sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/stream/tables/followed.h"
#include "backends/stream/tables/proc_task.h"
#include "backends/stream/tables/task_table.h"
#include "compat/base/file.h"
#include "compat/user/task_stat.h"
#include "compat/user/threads.h"

#define COMM 16
#define WORKQUEUE_WORKER 0x20		/* PF_WQ_WORKER in the flags of /proc/PID/stat */

struct task {
	struct task_entry entry;	/* idle tasks have none */
	uint32_t tgid;
	char comm[COMM];
	/* stream times from which tgid and comm hold; SINCE_UNKNOWN: they are not known */
	uint64_t tgid_since, comm_since;
};

struct tasks {
	struct event events[TASK_EVENTS];
	struct layout layouts[TASK_EVENTS];
	struct task_table table;
	uint64_t lost_until;		/* facts learned up to this time are uncertain */
	uint64_t (*now)(void);
	/* /proc is of this kernel, and has ids of the initial pid namespace */
	bool proc;
	bool told;			/* there are no tracepoints: tasks_live() tells */
	unsigned int cpus;
	char (*idle)[COMM];		/* by CPU; NULL: the names of idle tasks are not known */
};

/* The inputs of the layouts. */
enum { PID, SECOND, CLONE_FLAGS };
static const struct followed followed[TASK_EVENTS] = {
	[TASK_NEW]    = { "task", "task_newtask", { "pid", "comm", "clone_flags" } },
	[TASK_RENAME] = { "task", "task_rename", { "pid", "newcomm" } },
	[TASK_EXEC]   = { "sched", "sched_process_exec", { "pid", "old_pid" } },
	[TASK_EXIT]   = { "sched", "sched_process_exit", { "pid" } },
};

const char *task_event_name(enum task_event what, const char **system)
{
	*system = followed[what].system;
	return followed[what].name;
}

/* The table. */

static bool keep(const void *entry, uint64_t now)
{
	const struct task *task = entry;

	return task_may_run(&task->entry, now) &&
	       (task->tgid_since != SINCE_UNKNOWN || task->comm_since != SINCE_UNKNOWN);
}

static struct task *enter(struct tasks *t, uint32_t tid, uint64_t now)
{
	bool made;
	struct task *task = task_table_enter(&t->table, tid, now, &made);

	if (made)
		task->tgid_since = task->comm_since = SINCE_UNKNOWN;
	return task;
}

/*
 * The idle task of CPU N is "swapper/N" on kernels built for several CPUs. On other kernels its
 * name depends on the version, and stays unknown.
 */
static int name_idle(struct tasks *t, struct kernel *k)
{
	const char *version = kernel_text(k, "/proc/version");

	if (!version || !strstr(version, " SMP "))
		return 0;
	t->idle = calloc(t->cpus, COMM);
	if (!t->idle)
		return -1;
	for (unsigned int cpu = 0; cpu < t->cpus; cpu++)
		snprintf(t->idle[cpu], COMM, "swapper/%u", cpu & 0xffff);
	return 0;
}

/*
 * Returns true if the kernel has tracepoints for all that happens to tasks. A recording may have
 * some of them: what happened besides would make a wrong name of a right one.
 */
static bool has_events(struct kernel *k)
{
	const struct recorded_by *recorder = kernel_recorder(k);

	if (!recorder)
		return kernel_has(k, FEATURE_TRACEFS);
	for (unsigned int i = 0; i < TASK_EVENTS && recorder->tasks; i++)
		if (!kernel_format(k, followed[i].system, followed[i].name))
			return false;
	return recorder->tasks;
}

struct tasks *tasks_new(struct kernel *k, unsigned int cpus, struct error *err)
{
	struct tasks *t = calloc(1, sizeof(*t));

	if (t)
		t->cpus = cpus;
	if (!t || task_table_init(&t->table, sizeof(struct task), keep) || name_idle(t, k)) {
		fail(err, "out of memory");
		tasks_free(t);
		return NULL;
	}
	t->told = !has_events(k);
	if (!t->told &&
	    followed_make(k, followed, TASK_EVENTS, t->events, t->layouts,
			  "process ids and names", err)) {
		tasks_free(t);
		return NULL;
	}
	t->proc = kernel_live(k) && kernel_has(k, FEATURE_ROOT_PIDNS);
	return t;
}

void tasks_free(struct tasks *t)
{
	if (!t)
		return;
	followed_free(t->layouts, TASK_EVENTS);
	task_table_free(&t->table);
	free(t->idle);
	free(t);
}

const struct event *tasks_events(const struct tasks *t)
{
	return t->events;
}

void tasks_clock(struct tasks *t, uint64_t (*now)(void))
{
	t->now = now;
}

static bool holds(const struct tasks *t, uint64_t since, uint64_t time)
{
	return since <= time && since > t->lost_until;
}

/* /proc */

static bool is_workqueue_worker(int dir)
{
	struct task_stat s;
	uint64_t flags;

	return task_stat_read(dir, "stat", &s) && task_stat_number(&s, 9, UINT64_MAX, &flags) &&
	       flags & WORKQUEUE_WORKER;
}

/*
 * Reads the name of the task whose /proc directory is `dir`, as the kernel's events have it. For
 * kernel threads the file has more: names longer than 15 bytes, and behind the name of a workqueue
 * worker its last work ("kworker/0:1-events").
 */
static bool read_comm(int dir, char comm[COMM])
{
	char text[128];
	size_t n;

	if (file_begin(dir, "comm", text, sizeof(text)) <= 0)
		return false;
	n = strlen(text);
	if (n && text[n - 1] == '\n')
		text[--n] = '\0';
	if (!strncmp(text, "kworker/", 8) && strchr(text, ':') && is_workqueue_worker(dir)) {
		char *colon = strchr(text, ':');

		colon[strcspn(colon, "+-")] = '\0';
		n = strlen(text);
	}
	memset(comm, 0, COMM);
	memcpy(comm, text, n < COMM ? n : COMM - 1);
	return true;
}

/*
 * Reads the unknown facts about a task from /proc. Both files are of one task, because they are
 * read through one directory, which ends with its task.
 */
static void ask(struct tasks *t, struct task *task)
{
	char comm[COMM];
	uint64_t now;
	uint32_t tgid;
	int dir;

	if (!t->proc || !t->now)
		return;
	dir = proc_task_ask(&task->entry, t->now());
	if (dir < 0)
		return;
	if (proc_task_tgid(dir, &tgid) && read_comm(dir, comm)) {
		now = t->now();
		if (task->tgid_since == SINCE_UNKNOWN || task->tgid_since <= t->lost_until) {
			task->tgid = tgid;
			task->tgid_since = now;
		}
		if (task->comm_since == SINCE_UNKNOWN || task->comm_since <= t->lost_until) {
			memcpy(task->comm, comm, COMM);
			task->comm_since = now;
		}
	}
	close(dir);
}

void tasks_put(struct tasks *t, uint32_t tid, uint32_t tgid, const char *comm)
{
	struct task *task;

	if (!tid)
		return;
	task = enter(t, tid, 0);
	task->tgid = tgid;
	memset(task->comm, 0, COMM);
	memcpy(task->comm, comm, strnlen(comm, COMM - 1));
	task->tgid_since = task->comm_since = SINCE_SEEDED;
	task->entry.exited = 0;
}

static void seed(void *arg, uint32_t tid, uint32_t tgid, int threads)
{
	const int dir = proc_task_open(threads, tid);
	char comm[COMM];

	if (dir < 0)
		return;
	if (read_comm(dir, comm))
		tasks_put(arg, tid, tgid, comm);
	close(dir);
}

void tasks_seed(struct tasks *t)
{
	if (t->proc)
		each_task(seed, t);
}

/* The stream. */

static bool text(const struct sample *s, const struct input *in, char comm[COMM])
{
	uint32_t length;
	const char *from = followed_text(s, in, &length);

	if (!from)
		return false;
	memset(comm, 0, COMM);
	memcpy(comm, from, length < COMM ? length : COMM - 1);
	return true;
}

/* The event comes in the parent, before the child can run. */
static void apply_new(struct tasks *t, const struct event *e, const struct sample *s, uint32_t pid)
{
	bool thread = followed_number(s, &e->layout->inputs[CLONE_FLAGS]) & CLONE_THREAD;
	struct sample parent = *s;
	struct task *task;

	tasks_find(t, &parent);		/* first: entering the child may move the table */
	task = enter(t, pid, s->time);
	if (!thread || parent.tgid != (uint32_t)-1 ||
	    !task_is_seeded(&task->entry, task->tgid_since)) {
		task->tgid = thread ? parent.tgid : pid;
		task->tgid_since = task->tgid != (uint32_t)-1 ? s->time : SINCE_UNKNOWN;
	}
	task->comm_since = text(s, &e->layout->inputs[SECOND], task->comm) ? s->time :
			   SINCE_UNKNOWN;
	task->entry.exited = task->entry.asked = 0;
}

static void apply_rename(struct tasks *t, const struct event *e, const struct sample *s,
			 uint32_t pid)
{
	struct task *task = enter(t, pid, s->time);

	task->comm_since = text(s, &e->layout->inputs[SECOND], task->comm) ? s->time :
			   SINCE_UNKNOWN;
	/*
	 * A task that has exited does not rename itself. This thread took the id of its exited
	 * leader in an exec.
	 */
	if (s->tid == pid)
		task->entry.exited = 0;
}

static void apply_exec(struct tasks *t, const struct event *e, const struct sample *s, uint32_t pid)
{
	uint32_t old = followed_number(s, &e->layout->inputs[SECOND]);
	struct task *task;

	/* A thread other than the leader takes the leader's id, and its own id ends. */
	if (old && old != pid)
		task_table_forget(&t->table, old);
	task = enter(t, pid, s->time);
	task->tgid = pid;
	task->tgid_since = s->time;
	task->entry.exited = 0;
}

static void apply_exit(struct tasks *t, uint64_t time, uint32_t pid)
{
	struct task *task = task_table_find(&t->table, pid);

	if (task)
		task->entry.exited = time;
}

void tasks_apply(struct tasks *t, enum task_event event, const struct sample *s)
{
	const struct event *e = &t->events[event];
	uint32_t pid = followed_number(s, &e->layout->inputs[PID]);

	if (!pid)
		return;
	switch (event) {
	case TASK_NEW:
		apply_new(t, e, s, pid);
		break;
	case TASK_RENAME:
		apply_rename(t, e, s, pid);
		break;
	case TASK_EXEC:
		apply_exec(t, e, s, pid);
		break;
	case TASK_EXIT:
		apply_exit(t, s->time, pid);
		break;
	default:
		break;
	}
}

bool tasks_are_told(const struct tasks *t)
{
	return t->told;
}

/* A new task has the name of the thread that makes it, which is current. */
static void born(struct tasks *t, uint64_t time, const struct task_life *life)
{
	struct sample maker = { .time = time, .tid = life->maker };
	char comm[COMM] = "";
	struct task *task;

	tasks_find(t, &maker);		/* first: entering the child may move the table */
	if (maker.comm)
		memcpy(comm, maker.comm, COMM);
	task = enter(t, life->tid, time);
	memcpy(task->comm, comm, COMM);
	task->comm_since = maker.comm ? time : SINCE_UNKNOWN;
	task->entry.exited = task->entry.asked = 0;
}

/*
 * An exec comes as a rename. A thread other than the leader takes the leader's id in an exec, and
 * its own id ends without a record: its entry stays until a new task has this id.
 */
void tasks_live(struct tasks *t, uint64_t time, const struct task_life *life)
{
	struct task *task;

	if (!life->tid)
		return;
	if (life->what == TASK_EXIT) {
		apply_exit(t, time, life->tid);
		return;
	}
	if (life->what == TASK_NEW)
		born(t, time, life);
	task = enter(t, life->tid, time);
	task->tgid = life->tgid;
	task->tgid_since = time;
	if (life->what == TASK_NEW)
		return;
	memcpy(task->comm, life->comm, COMM);
	task->comm_since = time;
	task->entry.exited = 0;
}

void tasks_gap(struct tasks *t, uint64_t to)
{
	if (to > t->lost_until)
		t->lost_until = to;
}

void tasks_find(struct tasks *t, struct sample *s)
{
	struct task *task;

	s->tgid = (uint32_t)-1;
	s->comm = NULL;
	if (!s->tid) {
		s->tgid = 0;
		s->comm = t->idle && s->cpu < t->cpus ? t->idle[s->cpu] : NULL;
		return;
	}
	task = task_table_living(&t->table, s->tid, s->time);
	if (!task)
		task = enter(t, s->tid, s->time);
	if (!holds(t, task->tgid_since, s->time) || !holds(t, task->comm_since, s->time))
		ask(t, task);
	if (holds(t, task->tgid_since, s->time))
		s->tgid = task->tgid;
	if (holds(t, task->comm_since, s->time))
		s->comm = task->comm;
}
