// SPDX-License-Identifier: GPL-2.0
#include "backends/stream/tasks.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/user/task_stat.h"
#include "compat/user/threads.h"

#define COMM 16
#define UNKNOWN UINT64_MAX
#define LINGER_NS 1000000000ULL	/* a task still runs a little after its sched_process_exit */
#define REREAD_NS 100000000ULL		/* how often /proc is asked about one task at most */
#define WORKQUEUE_WORKER 0x20		/* PF_WQ_WORKER in the flags of /proc/PID/stat */

struct task {
	uint32_t tid;			/* 0: the slot is empty; idle tasks have no entry */
	uint32_t tgid;
	char comm[COMM];
	/* stream times from which they hold; UNKNOWN: they do not */
	uint64_t tgid_since, comm_since;
	uint64_t exited;		/* stream time; 0: alive */
	uint64_t asked;			/* when /proc was last read for it */
};

struct tasks {
	struct event events[TASK_EVENTS];
	struct layout layouts[TASK_EVENTS];
	struct task *slots;		/* open addressing, linear; a power of two of them */
	uint32_t n_slots, used;
	uint64_t lost_until;		/* what was learned up to here can't be trusted */
	uint64_t (*now)(void);
	/* /proc speaks of this kernel, in ids of the initial pid namespace */
	bool proc;
	unsigned int cpus;
	char (*idle)[COMM];		/* by CPU; NULL: the names of idle tasks are not known */
};

/* The fields each event is followed by; inputs of the same index. */
enum { PID, SECOND };
static const struct {
	const char *system, *name;
	const char *fields[3];
} followed[TASK_EVENTS] = {
	[TASK_NEW]    = { "task", "task_newtask", { "pid", "comm", "clone_flags" } },
	[TASK_RENAME] = { "task", "task_rename", { "pid", "newcomm" } },
	[TASK_EXEC]   = { "sched", "sched_process_exec", { "pid", "old_pid" } },
	[TASK_EXIT]   = { "sched", "sched_process_exit", { "pid" } },
};
#define CLONE_FLAGS 2

static int add_input(struct layout *l, const struct field *f)
{
	struct input *in = layout_add(l);

	if (!in)
		return -1;
	snprintf(in->name, sizeof(in->name), "%.*s", INPUT_NAME - 1, f->name);
	in->kind = f->is_data_loc ? INPUT_STRING : f->is_array ? INPUT_BYTES : INPUT_NUMBER;
	in->place = f->is_data_loc ? PLACE_DATA_LOC : PLACE_RECORD;
	in->offset = f->offset;
	in->size = f->size;
	in->is_signed = f->is_signed;
	return 0;
}

static int make_events(struct tasks *t, struct kernel *k, struct error *err)
{
	for (unsigned int i = 0; i < TASK_EVENTS; i++) {
		const struct format *format = kernel_format(k, followed[i].system,
							    followed[i].name);
		struct event *e = &t->events[i];

		if (!format)
			return fail(err, "process ids and names can't be followed: this kernel has "
					 "no tracepoint %s:%s",
				    followed[i].system, followed[i].name);
		e->kind = EVENT_TRACEPOINT;
		e->id = format->id;
		e->system = followed[i].system;
		e->name = followed[i].name;
		e->layout = &t->layouts[i];
		for (unsigned int j = 0; j < 3 && followed[i].fields[j]; j++) {
			const struct field *f = format_field(format, followed[i].fields[j]);

			if (!f)
				return fail(err, "process ids and names can't be followed: %s:%s "
						 "has no field %s here",
					    followed[i].system, followed[i].name,
					    followed[i].fields[j]);
			if (add_input(e->layout, f))
				return fail(err, "out of memory");
		}
	}
	return 0;
}

/* "swapper/N" on kernels built for several CPUs; what others call it depends on their version. */
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

struct tasks *tasks_new(struct kernel *k, unsigned int cpus, struct error *err)
{
	struct tasks *t = calloc(1, sizeof(*t));

	if (t) {
		t->n_slots = 1024;
		t->cpus = cpus;
		t->slots = calloc(t->n_slots, sizeof(*t->slots));
	}
	if (!t || !t->slots || name_idle(t, k)) {
		fail(err, "out of memory");
		tasks_free(t);
		return NULL;
	}
	if (make_events(t, k, err)) {
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
	for (unsigned int i = 0; i < TASK_EVENTS; i++)
		free(t->layouts[i].inputs);
	free(t->slots);
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

/* The table. */

static uint32_t home(const struct tasks *t, uint32_t tid)
{
	return (tid * 2654435769U) >> 7 & (t->n_slots - 1);
}

/* The slot that holds tid, or the empty one where it would be. */
static struct task *slot(struct tasks *t, uint32_t tid)
{
	uint32_t i = home(t, tid);

	while (t->slots[i].tid && t->slots[i].tid != tid)
		i = (i + 1) & (t->n_slots - 1);
	return &t->slots[i];
}

/* Makes room: forgets the dead and the never known, and doubles the table if that is not enough. */
static void make_room(struct tasks *t, uint64_t now)
{
	struct task *old = t->slots;
	uint32_t n_old = t->n_slots, keep = 0;

	for (uint32_t i = 0; i < n_old; i++) {
		if ((old[i].exited && now > old[i].exited + LINGER_NS) ||
		    (old[i].tgid_since == UNKNOWN && old[i].comm_since == UNKNOWN))
			old[i].tid = 0;
		keep += old[i].tid != 0;
	}
	if (keep > n_old / 2)
		t->n_slots *= 2;
	t->slots = calloc(t->n_slots, sizeof(*t->slots));
	if (!t->slots) {	/* nothing known is better than chains with holes in them */
		t->slots = memset(old, 0, n_old * sizeof(*old));
		t->n_slots = n_old;
		t->used = 0;
		return;
	}
	for (uint32_t i = 0; i < n_old; i++)
		if (old[i].tid)
			*slot(t, old[i].tid) = old[i];
	t->used = keep;
	free(old);
}

static struct task *enter(struct tasks *t, uint32_t tid, uint64_t now)
{
	struct task *task = slot(t, tid);

	if (task->tid)
		return task;
	if (t->used >= t->n_slots / 4 * 3) {
		make_room(t, now);
		task = slot(t, tid);
	}
	t->used++;
	*task = (struct task){ .tid = tid, .tgid_since = UNKNOWN, .comm_since = UNKNOWN };
	return task;
}

static void forget(struct tasks *t, uint32_t tid)
{
	struct task *task = slot(t, tid);
	uint32_t hole = task - t->slots, i = hole;

	if (!task->tid)
		return;
	t->used--;
	/*
	 * Close the gap: whoever was pushed beyond it by others moves up, if its home lies not
	 * behind the hole.
	 */
	for (;;) {
		i = (i + 1) & (t->n_slots - 1);
		if (!t->slots[i].tid)
			break;
		if (((i - home(t, t->slots[i].tid)) & (t->n_slots - 1)) >=
		    ((i - hole) & (t->n_slots - 1))) {
			t->slots[hole] = t->slots[i];
			hole = i;
		}
	}
	t->slots[hole].tid = 0;
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
 * The name of the task whose /proc directory is `dir`, as the kernel's events have it. The file
 * shows more of kernel
 * threads: names longer than 15 bytes, and behind those of workqueue workers what they last worked
 * on ("kworker/0:1-events").
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

static bool read_tgid(int dir, uint32_t *tgid)
{
	char status[512];	/* the name can take 64 bytes of it, escaped */
	const char *line;

	if (file_begin(dir, "status", status, sizeof(status)) <= 0 ||
	    !(line = strstr(status, "\nTgid:")))
		return false;
	*tgid = strtoul(line + 6, NULL, 10);
	return *tgid != 0;
}

/*
 * Asks /proc about a task of which something is unknown. Both files belong to one task: they are
 * read through one directory, which dies with it.
 */
static void ask(struct tasks *t, struct task *task)
{
	char path[32], comm[COMM];
	uint64_t now;
	uint32_t tgid;
	int dir;

	if (!t->proc || !t->now)
		return;
	now = t->now();
	if (task->asked && now - task->asked < REREAD_NS)
		return;
	task->asked = now;
	snprintf(path, sizeof(path), "/proc/%u", task->tid);
	dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return;
	if (read_tgid(dir, &tgid) && read_comm(dir, comm)) {
		now = t->now();
		if (task->tgid_since == UNKNOWN || task->tgid_since <= t->lost_until) {
			task->tgid = tgid;
			task->tgid_since = now;
		}
		if (task->comm_since == UNKNOWN || task->comm_since <= t->lost_until) {
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
	task->tgid_since = task->comm_since = 1;
	task->exited = 0;
}

static void seed(void *arg, uint32_t tid, uint32_t tgid, int threads)
{
	char name[16], comm[COMM];
	int dir;

	snprintf(name, sizeof(name), "%u", tid);
	dir = openat(threads, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
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

static uint64_t number(const struct sample *s, const struct input *in)
{
	const uint8_t *p = (const uint8_t *)s->record + in->offset;
	uint32_t u32;
	uint64_t u64;

	if (in->offset + in->size > s->size)
		return 0;	/* as pid: nobody's, which is ignored */
	switch (in->size) {
	case 4:
		memcpy(&u32, p, 4);
		return u32;
	case 8:
		memcpy(&u64, p, 8);
		return u64;
	default:
		return 0;
	}
}

static bool text(const struct sample *s, const struct input *in, char comm[COMM])
{
	uint32_t offset = in->offset, size = in->size, loc;

	if (offset + size > s->size)
		return false;
	if (in->place == PLACE_DATA_LOC) {
		memcpy(&loc, (const uint8_t *)s->record + offset, 4);
		offset = loc & 0xffff;
		size = loc >> 16;
		if (offset + size > s->size)
			return false;
	}
	memset(comm, 0, COMM);
	memcpy(comm, (const char *)s->record + offset,
	       strnlen((const char *)s->record + offset, size < COMM ? size : COMM - 1));
	return true;
}

/* Runs in the parent, before the child can run. */
static void apply_new(struct tasks *t, const struct event *e, const struct sample *s, uint32_t pid)
{
	bool thread = number(s, &e->layout->inputs[CLONE_FLAGS]) & CLONE_THREAD;
	struct sample parent = *s;
	struct task *task;

	tasks_find(t, &parent);		/* first: entering the child may move the table */
	task = enter(t, pid, s->time);
	task->tgid = thread ? parent.tgid : pid;
	task->tgid_since = task->tgid != (uint32_t)-1 ? s->time : UNKNOWN;
	task->comm_since = text(s, &e->layout->inputs[SECOND], task->comm) ? s->time : UNKNOWN;
	task->exited = task->asked = 0;
}

static void apply_rename(struct tasks *t, const struct event *e, const struct sample *s,
			 uint32_t pid)
{
	struct task *task = enter(t, pid, s->time);

	task->comm_since = text(s, &e->layout->inputs[SECOND], task->comm) ? s->time : UNKNOWN;
	/*
	 * The dead do not rename themselves: this is a thread that took over its exited leader's id
	 * in an exec.
	 */
	if (s->tid == pid)
		task->exited = 0;
}

static void apply_exec(struct tasks *t, const struct event *e, const struct sample *s, uint32_t pid)
{
	uint32_t old = number(s, &e->layout->inputs[SECOND]);
	struct task *task;

	/*
	 * An exec by a thread that is not the leader: the thread takes the leader's id, its own is
	 * no more.
	 */
	if (old && old != pid)
		forget(t, old);
	task = enter(t, pid, s->time);
	task->tgid = pid;
	task->tgid_since = s->time;
	task->exited = 0;
}

static void apply_exit(struct tasks *t, uint64_t time, uint32_t pid)
{
	struct task *task = slot(t, pid);

	if (task->tid)
		task->exited = time;
}

void tasks_apply(struct tasks *t, enum task_event event, const struct sample *s)
{
	const struct event *e = &t->events[event];
	uint32_t pid = number(s, &e->layout->inputs[PID]);

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
	task = slot(t, s->tid);
	if (task->tid && task->exited && s->time > task->exited + LINGER_NS) {
		forget(t, s->tid);
		task = slot(t, s->tid);
	}
	if (!task->tid)
		task = enter(t, s->tid, s->time);
	if (!holds(t, task->tgid_since, s->time) || !holds(t, task->comm_since, s->time))
		ask(t, task);
	if (holds(t, task->tgid_since, s->time))
		s->tgid = task->tgid;
	if (holds(t, task->comm_since, s->time))
		s->comm = task->comm;
}
