// SPDX-License-Identifier: GPL-2.0
#include "backends/stream/members.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/stream/followed.h"
#include "backends/stream/task_table.h"
#include "compat/base/file.h"
#include "compat/base/scan.h"
#include "compat/user/threads.h"

#define UNKNOWN UINT64_MAX
#define LINGER_NS 1000000000ULL	/* a task still runs a little after its sched_process_exit */
#define REREAD_NS 100000000ULL		/* how often /proc is asked about one task at most */
#define LONGEST_PATH 1023		/* that the kernel's events tell whole */
#define PROC_TEXT (64U << 10)		/* of /proc/PID/cgroup: a line for each tree, of 4 KB */
#define INTO_CGROUP 0x200000000ULL	/* CLONE_INTO_CGROUP (5.7) */

struct member {
	uint32_t tid;
	uint32_t tgid;			/* 0: unknown, and so is the rest */
	bool in;
	uint64_t since;			/* stream time from which `in` holds, or UNKNOWN */
	uint64_t exited;		/* stream time; 0: alive */
	uint64_t asked;			/* when /proc was last read for it */
};

struct members {
	const struct task_scope *scope;
	struct event events[MEMBER_EVENTS];
	struct layout layouts[MEMBER_EVENTS];
	struct task_table table;
	uint64_t lost_until;		/* what was learned up to here can't be trusted */
	uint64_t (*now)(void);
	bool *gone;			/* of the scope's paths: the cgroup was removed */
	bool renamed;			/* a path leads elsewhere from now on */
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

static const char what[] = "moves of tasks between control groups";

static bool keep(const void *entry, uint64_t now)
{
	const struct member *member = entry;

	return !(member->exited && now > member->exited + LINGER_NS) && member->since != UNKNOWN;
}

/* Flags of 32 bits have no room for that of clone3(2) (5.7); ids have 64 bits since 5.5. */
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

static int init(struct members *m, struct kernel *k, struct error *err)
{
	if (kernel_live(k) && !kernel_has(k, FEATURE_ROOT_PIDNS))
		return fail(err, "sonde runs in a pid namespace, and /proc does not tell the "
				 "control groups of tasks outside of it");
	if (check_paths(m->scope, err) ||
	    followed_make(k, followed, MEMBER_EVENTS, m->events, m->layouts, what, err))
		return -1;
	return check_flags(m, k, err);
}

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
		m->gone = calloc(scope->n + 1, sizeof(*m->gone));
		m->text = malloc(PROC_TEXT);
	}
	if (!m || !m->gone || !m->text || task_table_init(&m->table, sizeof(struct member), keep))
		fail(err, "out of memory");
	else if (!init(m, k, err))
		return m;
	members_free(m);
	return NULL;
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

const struct event *members_events(const struct members *m)
{
	return m->events;
}

void members_clock(struct members *m, uint64_t (*now)(void))
{
	m->now = now;
}

/* ---- Facts ---- */

static struct member *enter(struct members *m, uint32_t tid, uint64_t now)
{
	bool made;
	struct member *member = task_table_enter(&m->table, tid, now, &made);

	if (made)
		member->since = UNKNOWN;
	return member;
}

static bool holds(const struct members *m, const struct member *member, uint64_t time)
{
	return member->since <= time && member->since > m->lost_until;
}

static void learn(struct member *member, bool in, uint64_t time)
{
	member->in = in;
	member->since = time;
}

/* Is the path, of n bytes, this one or below it? */
static bool is_below(const char *path, uint32_t n, const char *above)
{
	const size_t length = strcmp(above, "/") ? strlen(above) : 0;

	return n >= length && !memcmp(path, above, length) && (n == length || path[length] == '/');
}

static bool in_scope(const struct members *m, const char *path, uint32_t n)
{
	for (unsigned int i = 0; i < m->scope->n; i++)
		if (!m->gone[i] && is_below(path, n, m->scope->paths[i]))
			return true;
	return false;
}

/* ---- /proc ---- */

static bool read_tgid(struct members *m, int dir, uint32_t *tgid)
{
	const char *line;

	if (file_begin(dir, "status", m->text, PROC_TEXT) <= 0 ||
	    !(line = strstr(m->text, "\nTgid:")))
		return false;
	*tgid = (uint32_t)strtoul(line + strlen("\nTgid:"), NULL, 10);
	return *tgid != 0;
}

/* The line of the scope's tree, "4:cpu,cpuacct:/a/b". A path has no newline in it. */
static bool read_path(struct members *m, int dir, bool *in)
{
	if (file_begin(dir, "cgroup", m->text, PROC_TEXT) <= 0)
		return false;
	for (const char *line = m->text; *line; line += strcspn(line, "\n"), line += *line != 0) {
		const char *at = line;
		uint64_t hierarchy;

		if (!scan_number(&at, INT32_MAX, &hierarchy) || hierarchy != m->scope->hierarchy ||
		    !scan_text(&at, ":") || !(at = strchr(at, ':')))
			continue;
		at++;
		*in = in_scope(m, at, (uint32_t)strcspn(at, "\n"));
		return *at == '/';
	}
	return false;
}

/*
 * Asks /proc about a task of which something is unknown. All files belong to one task: they are
 * read through one directory, which dies with it.
 */
static void ask(struct members *m, struct member *member)
{
	char path[32];
	uint32_t tgid;
	uint64_t now;
	bool in;
	int dir;

	if (!m->now)
		return;
	now = m->now();
	if (member->asked && now - member->asked < REREAD_NS)
		return;
	member->asked = now;
	snprintf(path, sizeof(path), "/proc/%u", member->tid);
	dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return;
	if (read_tgid(m, dir, &tgid) && read_path(m, dir, &in)) {
		member->tgid = tgid;
		learn(member, in, m->now());
	}
	close(dir);
}

void members_put(struct members *m, uint32_t tid, uint32_t tgid, bool in)
{
	struct member *member = enter(m, tid, 0);

	member->tgid = tgid;
	member->exited = 0;
	learn(member, in, 1);
}

static void seed(void *arg, uint32_t tid, uint32_t tgid, int threads)
{
	char name[16];
	bool in;
	int dir;

	snprintf(name, sizeof(name), "%u", tid);
	dir = openat(threads, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return;
	if (read_path(arg, dir, &in))
		members_put(arg, tid, tgid, in);
	close(dir);
}

void members_seed(struct members *m)
{
	each_task(seed, m);
}

/* ---- The stream ---- */

static uint64_t number(const struct members *m, enum member_event event, const struct sample *s,
		       unsigned int input)
{
	return followed_number(s, &m->layouts[event].inputs[input]);
}

/* The path of an event of the scope's tree. NULL: of another tree, or it does not tell. */
static const char *path_of(const struct members *m, enum member_event event,
			   const struct sample *s, uint32_t *length)
{
	const struct input *inputs = m->layouts[event].inputs;

	if (followed_number(s, &inputs[ROOT]) != m->scope->hierarchy)
		return NULL;
	return followed_text(s, &inputs[PATH], length);
}

/* Runs in the parent, before the child can run. */
static void apply_new(struct members *m, const struct sample *s)
{
	const uint64_t flags = number(m, MEMBER_NEW, s, CLONE_FLAGS);
	const uint32_t pid = (uint32_t)number(m, MEMBER_NEW, s, PID);
	const struct member *found = task_table_find(&m->table, s->tid);
	struct member parent = { .since = UNKNOWN }, *child;

	if (!pid)
		return;
	if (found)		/* entering the child may move it */
		parent = *found;
	child = enter(m, pid, s->time);
	child->tgid = flags & CLONE_THREAD ? parent.tgid : pid;
	child->exited = child->asked = 0;
	child->since = UNKNOWN;
	if (!(flags & INTO_CGROUP) && holds(m, &parent, s->time))
		learn(child, parent.in, s->time);
	else
		ask(m, child);
}

/*
 * An exec by a thread that is not the leader: the thread takes the leader's id, its own is no more.
 */
static void apply_exec(struct members *m, const struct sample *s)
{
	const uint32_t old = (uint32_t)number(m, MEMBER_EXEC, s, OLD_PID);
	const uint32_t pid = (uint32_t)number(m, MEMBER_EXEC, s, PID);
	const struct member *found = old && old != pid ? task_table_find(&m->table, old) : NULL;
	struct member thread = { .since = UNKNOWN }, *member;

	if (!pid)
		return;
	if (found)
		thread = *found;
	if (old && old != pid) {
		task_table_forget(&m->table, old);
		member = enter(m, pid, s->time);
		*member = thread;
		member->tid = pid;
	} else {
		member = enter(m, pid, s->time);
	}
	member->tgid = pid;
	member->exited = 0;
}

static void apply_exit(struct members *m, const struct sample *s)
{
	const uint32_t pid = (uint32_t)number(m, MEMBER_EXIT, s, PID);
	struct member *member = task_table_find(&m->table, pid);

	if (member)
		member->exited = s->time;
}

/* Does the cgroup have whole processes alone? */
static bool is_domain(const struct members *m, const char *path, uint32_t n)
{
	char *file, type[32];
	bool result;

	if (m->scope->hierarchy ||
	    asprintf(&file, "%s%.*s/cgroup.type", m->scope->mount, (int)n, path) < 0)
		return false;
	result = file_line(file, type, sizeof(type)) && !strcmp(type, "domain");
	free(file);
	return result;
}

/* The first thread of a process has moved. */
static void move_others(struct members *m, uint32_t tgid, bool in, bool whole, uint64_t time)
{
	for (struct member *other = NULL; (other = task_table_next(&m->table, other));) {
		if (other->tgid != tgid || other->tid == tgid || other->exited ||
		    (holds(m, other, time) && other->in == in))
			continue;
		if (whole) {
			learn(other, in, time);
			continue;
		}
		other->since = UNKNOWN;
		other->asked = 0;
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
		member->since = UNKNOWN;
		ask(m, member);
		return;
	}
	in = in_scope(m, path, n);
	learn(member, in, s->time);
	if (event == MEMBER_MOVE && (!member->tgid || member->tgid == pid))
		move_others(m, pid, in, is_domain(m, path, n), s->time);
}

/* Another cgroup may be made by this path: it is none that was asked for. */
static void apply_rmdir(struct members *m, const struct sample *s)
{
	uint32_t n;
	const char *path = path_of(m, MEMBER_RMDIR, s, &n);

	for (unsigned int i = 0; path && i < m->scope->n; i++)
		if (strlen(m->scope->paths[i]) == n && !memcmp(m->scope->paths[i], path, n))
			m->gone[i] = true;
}

/*
 * Trees of version 1: a path of the scope leads elsewhere if it is this cgroup that had another
 * name, or one above. The event tells the new name alone: it may also be one beside them.
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
		m->renamed |= is_below(m->scope->paths[i], (uint32_t)strlen(m->scope->paths[i]),
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

void members_gap(struct members *m, uint64_t to)
{
	if (to > m->lost_until)
		m->lost_until = to;
}

enum in_scope members_find(struct members *m, const struct sample *s)
{
	struct member *member;

	if (m->renamed)
		return SCOPE_UNKNOWN;
	if (!s->tid)		/* idle tasks are where the kernel began */
		return in_scope(m, "/", 1) ? SCOPE_IN : SCOPE_OUT;
	member = task_table_find(&m->table, s->tid);
	if (member && member->exited && s->time > member->exited + LINGER_NS) {
		task_table_forget(&m->table, s->tid);
		member = NULL;
	}
	if (!member)
		member = enter(m, s->tid, s->time);
	if (!holds(m, member, s->time))
		ask(m, member);
	if (!holds(m, member, s->time))
		return SCOPE_UNKNOWN;
	return member->in ? SCOPE_IN : SCOPE_OUT;
}
