// SPDX-License-Identifier: GPL-2.0
#include "backends/stream/tables/members.h"

#include <linux/sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/stream/tables/followed.h"
#include "backends/stream/tables/proc_task.h"
#include "backends/stream/tables/task_table.h"
#include "compat/base/file.h"
#include "compat/tasks/cgroup.h"
#include "compat/tasks/namespace.h"
#include "compat/user/threads.h"

#define WALKS 3
#define LONGEST_PATH 1023		/* bytes; longer paths are not in the kernel's events */
#define PROC_TEXT (64U << 10)		/* of /proc/PID/cgroup: a line of 4 KB for each tree */
#define INTO_CGROUP 0x200000000ULL	/* CLONE_INTO_CGROUP (5.7) */

/* Facts about a task. Those that the scope does not ask for are not read from /proc. */
enum fact { IN_CGROUP, IN_MNTNS, IN_PIDNS, FACTS };
static const char *const types[] = { [IN_MNTNS] = "mnt", [IN_PIDNS] = "pid" };

struct member {
	struct task_entry entry;
	uint32_t tgid;			/* 0: unknown */
	bool in[FACTS];
	uint64_t since[FACTS];		/* stream time from which `in` holds, or SINCE_UNKNOWN */
};

struct members {
	const struct task_scope *scope;
	struct event events[MEMBER_EVENTS];
	struct layout layouts[MEMBER_EVENTS];
	struct task_table table;
	uint64_t lost_until;		/* facts learned up to this time are uncertain */
	uint64_t (*now)(void);
	bool wanted[FACTS];
	struct member idle;		/* for all idle tasks, which never move */
	bool *gone;			/* for each path of the scope: its cgroup was removed */
	bool renamed;			/* a path of the scope may lead to another cgroup now */
	char *text;			/* of a file of /proc */
};

/* The inputs of the layouts. */
enum { PID, OLD_PID = 1, CLONE_FLAGS = 1, ROOT = 0, PATH, MOVED };
static const struct followed followed[MEMBER_EVENTS] = {
	[MEMBER_NEW]	  = { "task", "task_newtask", { "pid", "clone_flags" } },
	[MEMBER_EXEC]	  = { "sched", "sched_process_exec", { "pid", "old_pid" } },
	[MEMBER_EXIT]	  = { "sched", "sched_process_exit", { "pid" } },
	[MEMBER_MOVE]	  = { "cgroup", "cgroup_attach_task", { "dst_root", "dst_path", "pid" } },
	[MEMBER_TRANSFER] = { "cgroup", "cgroup_transfer_tasks",
			      { "dst_root", "dst_path", "pid" } },
	[MEMBER_RMDIR]	  = { "cgroup", "cgroup_rmdir", { "root", "path" } },
	[MEMBER_RENAME]	  = { "cgroup", "cgroup_rename", { "root", "path" } },
};

static const char what[] = "control groups of tasks";

static bool keep(const void *entry, uint64_t now)
{
	const struct member *member = entry;
	bool known = false;

	for (unsigned int i = 0; i < FACTS; i++)
		known |= member->since[i] != SINCE_UNKNOWN;
	return known && task_may_run(&member->entry, now);
}

/*
 * clone_flags of 32 bits have no room for CLONE_INTO_CGROUP (5.7). A kernel whose cgroup ids have
 * 32 bits (before 5.5) does not have this flag.
 */
static int check_flags(const struct members *m, struct kernel *k, struct error *err)
{
	const struct format *move = kernel_format(k, "cgroup", "cgroup_attach_task");
	const struct field *id = format_field(move, "dst_id");

	if (m->layouts[MEMBER_NEW].inputs[CLONE_FLAGS].size == sizeof(uint64_t) ||
	    (id && id->size == sizeof(uint32_t)))
		return 0;
	return fail(err, "task:task_newtask of this kernel does not tell whether clone3(2) put a "
			 "task into a control group");
}

static int check_paths(const struct task_scope *scope, struct error *err)
{
	for (unsigned int i = 0; i < scope->n; i++)
		if (strlen(scope->paths[i]) > LONGEST_PATH)
			return fail(err, "the kernel's events tell paths of control groups up to "
					 "%d bytes, and %s is longer", LONGEST_PATH,
				    scope->paths[i]);
	return 0;
}

/*
 * Only perf tells the numbers of namespaces. The stream orders perf's records and the rings'
 * records by their times, so both need the same clock.
 */
static int check_namespaces(const struct members *m, struct kernel *k, struct error *err)
{
	static const struct {
		enum feature feature;
		const char *lacks;
	} needs[] = {
		{ FEATURE_PERF_NAMESPACES, "perf does not tell the namespaces of tasks (4.12)" },
		{ FEATURE_PERF_CLOCKID, "perf has no clock of choice (4.1)" },
	};

	if (!scope_has_namespaces(m->scope))
		return 0;
	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++)
		if (!kernel_has(k, needs[i].feature))
			return fail(err, "namespaces of tasks can't be followed: %s",
				    needs[i].lacks);
	return 0;
}

static int init(struct members *m, struct kernel *k, struct error *err)
{
	unsigned int n;

	if ((m->scope->n || scope_has_namespaces(m->scope)) && kernel_live(k) &&
	    !kernel_has(k, FEATURE_ROOT_PIDNS))
		return namespace_not_initial(k, "/proc does not tell the control groups and "
						"namespaces of tasks outside of it", err);
	members_events(m, &n);
	if (check_paths(m->scope, err) || check_namespaces(m, k, err) ||
	    followed_make(k, followed, n, m->events, m->layouts, what, err))
		return -1;
	return m->wanted[IN_CGROUP] ? check_flags(m, k, err) : 0;
}

void members_free(struct members *m)
{
	if (!m)
		return;
	followed_free(m->layouts, MEMBER_EVENTS);
	task_table_free(&m->table);
	free(m->gone);
	free(m->text);
	free(m);
}

const struct event *members_events(const struct members *m, unsigned int *n)
{
	*n = m->wanted[IN_CGROUP] ? MEMBER_EVENTS :
	     scope_has_namespaces(m->scope) ? MEMBER_MOVE : 0;
	return m->events;
}

void members_clock(struct members *m, uint64_t (*now)(void))
{
	m->now = now;
}

/* ---- Facts ---- */

static void know_nothing(struct member *member)
{
	for (unsigned int i = 0; i < FACTS; i++)
		member->since[i] = SINCE_UNKNOWN;
}

static struct member *enter(struct members *m, uint32_t tid, uint64_t now)
{
	bool made;
	struct member *member = task_table_enter(&m->table, tid, now, &made);

	if (made)
		know_nothing(member);
	return member;
}

/* Returns a copy, because entries move when another one is entered. */
static struct member copy_of(const struct members *m, uint32_t tid)
{
	const struct member *found = task_table_find(&m->table, tid);
	struct member nobody = { };

	know_nothing(&nobody);
	return found ? *found : nobody;
}

static bool holds(const struct members *m, const struct member *member, enum fact fact,
		  uint64_t time)
{
	const uint64_t since = member->since[fact];

	if (fact == IN_CGROUP && m->renamed)
		return false;
	return since <= time && (since > m->lost_until || member == &m->idle);
}

static void learn(struct member *member, enum fact fact, bool in, uint64_t time)
{
	member->in[fact] = in;
	member->since[fact] = time;
}

static bool is_wanted(const struct members *m, enum fact type, uint64_t number)
{
	const struct scope_ids *wanted = &m->scope->namespaces[type - IN_MNTNS];

	for (unsigned int i = 0; i < wanted->n; i++)
		if (wanted->ids[i] == number)
			return true;
	return false;
}

static bool in_scope(const struct members *m, const char *path, uint32_t n)
{
	for (unsigned int i = 0; i < m->scope->n; i++)
		if (!m->gone[i] && cgroup_is_below(path, n, m->scope->paths[i]))
			return true;
	return false;
}

/* ---- /proc ---- */

static bool read_fact(struct members *m, int dir, enum fact fact, bool *in)
{
	uint64_t namespace;
	const char *path;

	if (fact == IN_CGROUP) {
		path = cgroup_of(dir, m->scope->hierarchy, m->text, PROC_TEXT);
		*in = path && in_scope(m, path, (uint32_t)strlen(path));
		return path;
	}
	namespace = namespace_of(dir, types[fact]);
	*in = is_wanted(m, fact, namespace);
	return namespace;
}

/*
 * Reads the wanted facts that are unknown, or uncertain since the last gap. They hold from `time`
 * on; 0: from their reading on.
 */
static void read_facts(struct members *m, struct member *member, int dir, uint64_t time)
{
	bool in;

	for (unsigned int i = 0; i < FACTS; i++)
		if (m->wanted[i] &&
		    (member->since[i] == SINCE_UNKNOWN || member->since[i] <= m->lost_until) &&
		    read_fact(m, dir, i, &in))
			learn(member, i, in, time ? time : m->now());
}

/*
 * Reads the unknown facts about a task from /proc. All files are of one task, because they are read
 * through one directory, which ends with its task.
 */
static void ask(struct members *m, struct member *member)
{
	int dir;

	if (!m->now || !member->entry.tid)
		return;
	dir = proc_task_ask(&member->entry, m->now());
	if (dir < 0)
		return;
	if (member->tgid || proc_task_tgid(dir, &member->tgid))
		read_facts(m, member, dir, 0);
	close(dir);
}

void members_put(struct members *m, uint32_t tid, uint32_t tgid, bool in)
{
	struct member *member = enter(m, tid, 0);

	member->tgid = tgid;
	member->entry.exited = 0;
	for (unsigned int i = 0; i < FACTS; i++)
		learn(member, i, in, SINCE_SEEDED);
}

static void seed(void *arg, uint32_t tid, uint32_t tgid, int threads)
{
	struct members *m = arg;
	struct member *member;
	int dir;

	if (task_table_find(&m->table, tid))
		return;
	dir = proc_task_open(threads, tid);
	if (dir < 0)
		return;
	member = enter(m, tid, 0);
	member->tgid = tgid;
	read_facts(m, member, dir, SINCE_SEEDED);
	close(dir);
}

/*
 * A task may end before a walk through /proc comes to it, after it made a child that the walk
 * misses. Another walk finds the child.
 */
static void walk(struct members *m)
{
	uint32_t found = UINT32_MAX;

	for (unsigned int i = 0; i < WALKS && found != m->table.used; i++) {
		found = m->table.used;
		each_task(seed, m);
	}
}

/*
 * Idle tasks are in the root cgroup, and in the namespaces of the kernel's threads. Thread 2, the
 * first of these, makes all others.
 */
static void seed_idle(struct members *m)
{
	m->idle = copy_of(m, 2);
	m->idle.entry.tid = 0;
	learn(&m->idle, IN_CGROUP, in_scope(m, "/", 1), 0);
}

void members_seed(struct members *m)
{
	if (m->scope->n || scope_has_namespaces(m->scope))
		walk(m);
	seed_idle(m);
}

/* ---- Making the table ---- */

int members_refuse(struct kernel *k, const struct task_scope *scope, struct error *err)
{
	struct members *m = scope ? members_new(k, scope, err) : NULL;

	members_free(m);
	return scope && !m ? -1 : 0;
}

struct members *members_new(struct kernel *k, const struct task_scope *scope, struct error *err)
{
	struct members *m = calloc(1, sizeof(*m));

	if (m) {
		m->scope = scope;
		m->wanted[IN_CGROUP] = scope->n;
		for (unsigned int i = 0; i < SCOPE_NAMESPACES; i++)
			m->wanted[IN_MNTNS + i] = scope->namespaces[i].n;
		m->gone = calloc(scope->n + 1, sizeof(*m->gone));
		m->text = malloc(PROC_TEXT);
	}
	if (!m || !m->gone || !m->text || task_table_init(&m->table, sizeof(struct member), keep))
		fail(err, "out of memory");
	else if (!init(m, k, err)) {
		seed_idle(m);
		return m;
	}
	members_free(m);
	return NULL;
}

/* ---- The stream ---- */

static uint64_t number(const struct members *m, enum member_event event, const struct sample *s,
		       unsigned int input)
{
	return followed_number(s, &m->layouts[event].inputs[input]);
}

/* The path of an event of the scope's tree; NULL: the event is of another tree, or has no path. */
static const char *path_of(const struct members *m, enum member_event event,
			   const struct sample *s, uint32_t *length)
{
	const struct input *inputs = m->layouts[event].inputs;

	if (followed_number(s, &inputs[ROOT]) != m->scope->hierarchy)
		return NULL;
	return followed_text(s, &inputs[PATH], length);
}

/* clone3(2) puts tasks only into cgroups of version 2. Trees of version 1 have other numbers. */
static bool is_version2(const struct members *m)
{
	return !m->scope->hierarchy;
}

/* The event comes in the parent, before the child can run. */
static void apply_new(struct members *m, const struct sample *s)
{
	const uint64_t flags = number(m, MEMBER_NEW, s, CLONE_FLAGS);
	const uint32_t pid = (uint32_t)number(m, MEMBER_NEW, s, PID);
	const struct member parent = copy_of(m, s->tid);
	struct member *child;

	if (!pid)
		return;
	child = enter(m, pid, s->time);
	if (task_is_seeded(&child->entry, child->since[IN_CGROUP]))
		return;
	child->tgid = flags & CLONE_THREAD ? parent.tgid : pid;
	child->entry.exited = child->entry.asked = 0;
	/* perf's record of the child's namespaces came before this event */
	child->since[IN_CGROUP] = SINCE_UNKNOWN;
	if (!m->wanted[IN_CGROUP])
		return;
	if (!(flags & INTO_CGROUP && is_version2(m)) && holds(m, &parent, IN_CGROUP, s->time))
		learn(child, IN_CGROUP, parent.in[IN_CGROUP], s->time);
	else
		ask(m, child);
}

/* In an exec a thread other than the leader takes the leader's id, and its own id ends. */
static void apply_exec(struct members *m, const struct sample *s)
{
	const uint32_t old = (uint32_t)number(m, MEMBER_EXEC, s, OLD_PID);
	const uint32_t pid = (uint32_t)number(m, MEMBER_EXEC, s, PID);
	struct member thread = copy_of(m, old ? old : pid);

	if (!pid)
		return;
	if (old && old != pid)
		task_table_forget(&m->table, old);
	thread.entry.tid = thread.tgid = pid;
	thread.entry.exited = 0;
	*enter(m, pid, s->time) = thread;
}

static void apply_exit(struct members *m, const struct sample *s)
{
	const uint32_t pid = (uint32_t)number(m, MEMBER_EXIT, s, PID);
	struct member *member = task_table_find(&m->table, pid);

	if (member)
		member->entry.exited = s->time;
}

/* Returns true if the cgroup, in a tree of version 2, can't have single threads. */
static bool is_domain(const struct members *m, const char *path, uint32_t n)
{
	char *file, type[32];
	bool result;

	if (!is_version2(m) ||
	    asprintf(&file, "%s%.*s/cgroup.type", m->scope->mount, (int)n, path) < 0)
		return false;
	result = file_line(file, type, sizeof(type)) && !strcmp(type, "domain");
	free(file);
	return result;
}

/*
 * The first thread of a process has moved. `whole`: all others have moved with it. If not, /proc is
 * read for each of them.
 */
static void move_others(struct members *m, uint32_t tgid, bool in, bool whole, uint64_t time)
{
	for (struct member *other = NULL; (other = task_table_next(&m->table, other));) {
		if (other->tgid != tgid || other->entry.tid == tgid || other->entry.exited ||
		    (holds(m, other, IN_CGROUP, time) && other->in[IN_CGROUP] == in))
			continue;
		if (whole) {
			learn(other, IN_CGROUP, in, time);
			continue;
		}
		other->since[IN_CGROUP] = SINCE_UNKNOWN;
		other->entry.asked = 0;
		ask(m, other);
	}
}

static void apply_move(struct members *m, enum member_event event, const struct sample *s)
{
	const uint32_t pid = (uint32_t)number(m, event, s, MOVED);
	uint32_t n;
	const char *path = path_of(m, event, s, &n);
	struct member *member;
	bool in;

	if (!pid || !path)
		return;
	member = enter(m, pid, s->time);
	if (!n || path[0] != '/') {	/* too long for the kernel's buffer */
		member->since[IN_CGROUP] = SINCE_UNKNOWN;
		ask(m, member);
		return;
	}
	in = in_scope(m, path, n);
	learn(member, IN_CGROUP, in, s->time);
	if (event == MEMBER_MOVE && (!member->tgid || member->tgid == pid))
		move_others(m, pid, in, is_domain(m, path, n), s->time);
}

/* A new cgroup may get the path of the removed one. It is not in the scope. */
static void apply_rmdir(struct members *m, const struct sample *s)
{
	uint32_t n;
	const char *path = path_of(m, MEMBER_RMDIR, s, &n);

	for (unsigned int i = 0; path && i < m->scope->n; i++)
		if (strlen(m->scope->paths[i]) == n && !memcmp(m->scope->paths[i], path, n))
			m->gone[i] = true;
}

/*
 * Cgroups can be renamed in trees of version 1. A path of the scope leads elsewhere if its cgroup,
 * or one above it, was renamed. The event has the new name alone. So all paths below the renamed
 * cgroup's parent are doubtful, also those of cgroups beside the renamed one.
 */
static void apply_rename(struct members *m, const struct sample *s)
{
	uint32_t n;
	const char *path = path_of(m, MEMBER_RENAME, s, &n);
	char parent[LONGEST_PATH + 1];

	if (!path || n > LONGEST_PATH)
		return;
	while (n > 1 && path[n - 1] != '/')
		n--;
	n -= n > 1;
	memcpy(parent, path, n);
	parent[n] = '\0';
	for (unsigned int i = 0; i < m->scope->n; i++)
		m->renamed |= cgroup_is_below(m->scope->paths[i], strlen(m->scope->paths[i]),
					      parent) && strcmp(m->scope->paths[i], parent);
}

void members_apply(struct members *m, enum member_event event, const struct sample *s)
{
	switch (event) {
	case MEMBER_NEW:
		apply_new(m, s);
		break;
	case MEMBER_EXEC:
		apply_exec(m, s);
		break;
	case MEMBER_EXIT:
		apply_exit(m, s);
		break;
	case MEMBER_MOVE:
	case MEMBER_TRANSFER:
		apply_move(m, event, s);
		break;
	case MEMBER_RMDIR:
		apply_rmdir(m, s);
		break;
	case MEMBER_RENAME:
		apply_rename(m, s);
		break;
	default:
		break;
	}
}

void members_namespaces(struct members *m, uint32_t tid, uint64_t time, const uint32_t *numbers)
{
	struct member *member;

	if (!tid)
		return;
	member = enter(m, tid, time);
	member->entry.exited = 0;
	for (unsigned int i = 0; i < SCOPE_NAMESPACES; i++) {
		const enum fact fact = IN_MNTNS + i;

		learn(member, fact, is_wanted(m, fact, numbers[i]),
		      numbers[i] ? time : SINCE_UNKNOWN);
	}
}

void members_gap(struct members *m, uint64_t to)
{
	if (to > m->lost_until)
		m->lost_until = to;
}

static struct member *find(struct members *m, const struct sample *s)
{
	struct member *member = s->tid ? task_table_living(&m->table, s->tid, s->time) : &m->idle;

	return member ? member : enter(m, s->tid, s->time);
}

enum in_scope members_find(struct members *m, const struct sample *s)
{
	struct member *member = find(m, s);
	bool known = true;

	for (unsigned int i = 0; i < FACTS; i++) {
		if (!m->wanted[i])
			continue;
		if (!holds(m, member, i, s->time))
			ask(m, member);
		if (!holds(m, member, i, s->time))
			known = false;
		else if (!member->in[i])
			return SCOPE_OUT;
	}
	return known ? SCOPE_IN : SCOPE_UNKNOWN;
}
