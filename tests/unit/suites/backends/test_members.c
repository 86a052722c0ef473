// SPDX-License-Identifier: GPL-2.0
/* Which tasks are in a control group, by records of the kernel's events. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/stream/tables/members.h"
#include "compat/kernel/kernel_internal.h"

#include <check.h>

#include "tests/unit/helpers/put_input.h"
#include "tests/unit/helpers/replay_run.h"

Suite *suite_members(void);

#define THREAD 0x00010000	/* CLONE_THREAD */
#define INTO 0x200000000ULL	/* CLONE_INTO_CGROUP */
#define SECOND_NS 1000000000ULL

/* One step of a stream: an event, a gap, or a question with its answer. */
enum {
	NEW = MEMBER_NEW, EXEC = MEMBER_EXEC, GONE = MEMBER_EXIT, MOVE = MEMBER_MOVE,
	TRANSFER = MEMBER_TRANSFER, RMDIR = MEMBER_RMDIR, RENAME = MEMBER_RENAME,
	PUT = MEMBER_EVENTS, GAP, ASK, SPACES, END_OF_STEPS
};

struct step {
	int what;
	uint64_t time;		/* GAP: its end */
	uint32_t by;		/* common_pid; PUT and ASK: the task */
	uint32_t pid;		/* of the event; PUT: the tgid */
	/*
	 * NEW: clone_flags; EXEC: old_pid; of cgroups: the tree; PUT: in it; ASK: enum in_scope;
	 * SPACES: the pid namespace, and `pid` is the mount namespace
	 */
	uint64_t other;
	const char *path;
};

#define END { .what = END_OF_STEPS }

static const struct {
	const char *what;
	struct step steps[16];
} streams[] = {
	{ "a task is where it was put, and another is unknown", {
		{ PUT, 0, 5, 5, 1 }, { PUT, 0, 6, 6, 0 }, { ASK, 1, 5, 0, SCOPE_IN },
		{ ASK, 1, 6, 0, SCOPE_OUT }, { ASK, 1, 7, 0, SCOPE_UNKNOWN }, END } },
	{ "a child is where its parent is", {
		{ PUT, 0, 5, 5, 1 }, { PUT, 0, 6, 6, 0 }, { NEW, 10, 5, 7, 0 },
		{ NEW, 11, 6, 8, THREAD }, { NEW, 12, 9, 10, 0 }, { ASK, 13, 7, 0, SCOPE_IN },
		{ ASK, 13, 8, 0, SCOPE_OUT }, { ASK, 13, 10, 0, SCOPE_UNKNOWN }, END } },
	{ "/proc had a child already, which an ended task had made", {
		{ PUT, 0, 7, 7, 1 }, { PUT, 0, 8, 8, 0 }, { NEW, 10, 5, 7, 0 },
		{ NEW, 10, 5, 8, INTO }, { ASK, 11, 7, 0, SCOPE_IN }, { ASK, 11, 8, 0, SCOPE_OUT },
		{ NEW, 12, 7, 9, 0 }, { ASK, 13, 9, 0, SCOPE_IN }, { GONE, 14, 7, 7 },
		{ NEW, 15, 5, 7, 0 }, { ASK, 16, 7, 0, SCOPE_UNKNOWN }, END } },
	{ "but where it was put into a cgroup: that is not told", {
		{ PUT, 0, 5, 5, 1 }, { NEW, 10, 5, 7, INTO }, { ASK, 11, 7, 0, SCOPE_UNKNOWN },
		{ NEW, 12, 7, 8, 0 }, { ASK, 13, 8, 0, SCOPE_UNKNOWN }, END } },
	{ "a move in, further down, and out", {
		{ PUT, 0, 5, 5, 0 }, { MOVE, 10, 1, 5, 0, "/a/b" }, { ASK, 9, 5, 0, SCOPE_UNKNOWN },
		{ ASK, 10, 5, 0, SCOPE_IN }, { MOVE, 20, 1, 5, 0, "/a/b/c/d" },
		{ ASK, 21, 5, 0, SCOPE_IN }, { MOVE, 30, 1, 5, 0, "/a/bc" },
		{ ASK, 31, 5, 0, SCOPE_OUT }, { MOVE, 40, 1, 5, 0, "/a" },
		{ ASK, 41, 5, 0, SCOPE_OUT }, END } },
	{ "moves in other trees", {
		{ PUT, 0, 5, 5, 1 }, { MOVE, 10, 1, 5, 3, "/x" }, { ASK, 11, 5, 0, SCOPE_IN },
		{ MOVE, 12, 1, 6, 3, "/a/b" }, { ASK, 13, 6, 0, SCOPE_UNKNOWN }, END } },
	{ "a move makes a task known, and the children that it makes then", {
		{ MOVE, 10, 1, 5, 0, "/a/b" }, { NEW, 11, 5, 6, 0 }, { ASK, 12, 6, 0, SCOPE_IN },
		END } },
	{ "the other threads of a process that moved: it is not told", {
		{ PUT, 0, 5, 5, 0 }, { PUT, 0, 6, 5, 0 }, { PUT, 0, 7, 7, 0 },
		{ MOVE, 10, 1, 5, 0, "/a/b" }, { ASK, 11, 5, 0, SCOPE_IN },
		{ ASK, 11, 6, 0, SCOPE_UNKNOWN }, { ASK, 11, 7, 0, SCOPE_OUT }, END } },
	{ "where they would not be elsewhere, it does not matter", {
		{ PUT, 0, 5, 5, 1 }, { PUT, 0, 6, 5, 1 }, { MOVE, 10, 1, 5, 0, "/a/b/c" },
		{ ASK, 11, 6, 0, SCOPE_IN }, END } },
	{ "a thread that moves alone", {
		{ PUT, 0, 5, 5, 0 }, { PUT, 0, 6, 5, 0 }, { MOVE, 10, 1, 6, 0, "/a/b" },
		{ ASK, 11, 6, 0, SCOPE_IN }, { ASK, 11, 5, 0, SCOPE_OUT }, END } },
	{ "the kernel moves threads alone", {
		{ PUT, 0, 5, 5, 1 }, { PUT, 0, 6, 5, 1 }, { TRANSFER, 10, 1, 5, 0, "/" },
		{ ASK, 11, 5, 0, SCOPE_OUT }, { ASK, 11, 6, 0, SCOPE_IN }, END } },
	{ "a path that the kernel had no room for", {
		{ PUT, 0, 5, 5, 1 }, { MOVE, 10, 1, 5, 0, "" }, { ASK, 11, 5, 0, SCOPE_UNKNOWN },
		{ MOVE, 12, 1, 5, 0, "(null)" }, { ASK, 13, 5, 0, SCOPE_UNKNOWN }, END } },
	{ "an exec by a thread takes its place along", {
		{ PUT, 0, 5, 5, 1 }, { PUT, 0, 6, 5, 0 }, { GONE, 10, 5, 5 },
		{ EXEC, 20, 5, 5, 6 }, { ASK, 21, 5, 0, SCOPE_OUT },
		{ ASK, 21, 6, 0, SCOPE_UNKNOWN }, { ASK, 9 * SECOND_NS, 5, 0, SCOPE_OUT }, END } },
	{ "another exec", {
		{ PUT, 0, 5, 5, 1 }, { EXEC, 20, 5, 5, 5 }, { ASK, 21, 5, 0, SCOPE_IN }, END } },
	{ "whoever exits may still be seen a while, and an id is used again", {
		{ PUT, 0, 5, 5, 1 }, { GONE, 10, 5, 5 }, { ASK, 10 + SECOND_NS, 5, 0, SCOPE_IN },
		{ ASK, 11 + SECOND_NS, 5, 0, SCOPE_UNKNOWN }, { PUT, 0, 6, 6, 0 },
		{ NEW, 12 + SECOND_NS, 6, 5, 0 }, { ASK, 13 + SECOND_NS, 5, 0, SCOPE_OUT }, END } },
	{ "nothing is known from before a gap, nor from within", {
		{ PUT, 0, 5, 5, 1 }, { GAP, 20 }, { MOVE, 15, 1, 6, 0, "/a/b" },
		{ ASK, 16, 5, 0, SCOPE_UNKNOWN }, { ASK, 30, 5, 0, SCOPE_UNKNOWN },
		{ ASK, 30, 6, 0, SCOPE_UNKNOWN }, { NEW, 31, 5, 7, 0 },
		{ ASK, 32, 7, 0, SCOPE_UNKNOWN }, { MOVE, 33, 1, 5, 0, "/a/b" },
		{ ASK, 34, 5, 0, SCOPE_IN }, END } },
	{ "a cgroup that was removed; one that is made by its path is another", {
		{ RMDIR, 10, 1, 0, 0, "/a/bc" }, { MOVE, 11, 1, 5, 0, "/a/b" },
		{ ASK, 12, 5, 0, SCOPE_IN }, { MOVE, 13, 1, 5, 0, "/" },
		{ RMDIR, 14, 1, 0, 3, "/a/b" }, { MOVE, 15, 1, 5, 0, "/a/b" },
		{ ASK, 16, 5, 0, SCOPE_IN }, { MOVE, 17, 1, 5, 0, "/" },
		{ RMDIR, 18, 1, 0, 0, "/a/b" }, { MOVE, 20, 1, 5, 0, "/a/b" },
		{ ASK, 21, 5, 0, SCOPE_OUT }, { MOVE, 22, 1, 5, 0, "/c" },
		{ ASK, 23, 5, 0, SCOPE_IN }, END } },
	{ "new names beside and below the scope's", {
		{ PUT, 0, 5, 5, 1 }, { RENAME, 10, 1, 0, 0, "/a/b/x" },
		{ RENAME, 10, 1, 0, 0, "/x/y" }, { RENAME, 10, 1, 0, 3, "/a/x" },
		{ ASK, 11, 5, 0, SCOPE_IN }, END } },
	{ "a new name that may be the scope's, or of one above", {
		{ PUT, 0, 5, 5, 1 }, { RENAME, 10, 1, 0, 0, "/a/x" },
		{ ASK, 11, 5, 0, SCOPE_UNKNOWN }, END } },
	{ "idle tasks are at the root", {
		{ ASK, 1, 0, 0, SCOPE_OUT }, { NEW, 10, 1, 0, 0 }, { MOVE, 11, 1, 0, 0, "/a/b" },
		{ ASK, 12, 0, 0, SCOPE_OUT }, END } },
};

/* The same of a tree of version 1, number 3. */
static const struct step version1[] = {
	{ PUT, 0, 5, 5, 1 }, { NEW, 10, 5, 7, INTO }, { ASK, 11, 7, 0, SCOPE_IN },
	{ NEW, 12, 7, 8, 0 }, { ASK, 13, 8, 0, SCOPE_IN }, { MOVE, 14, 1, 8, 0, "/" },
	{ ASK, 15, 8, 0, SCOPE_IN }, { MOVE, 16, 1, 8, 3, "/" }, { ASK, 17, 8, 0, SCOPE_OUT }, END
};

/* The wanted namespaces: 100 or 101 to mount, and 200 of pids. */
static const struct {
	const char *what;
	struct step steps[16];
} spaces[] = {
	{ "a task is where it was put, and another is unknown", {
		{ PUT, 0, 5, 5, 1 }, { PUT, 0, 6, 6, 0 }, { ASK, 1, 5, 0, SCOPE_IN },
		{ ASK, 1, 6, 0, SCOPE_OUT }, { ASK, 1, 7, 0, SCOPE_UNKNOWN }, END } },
	{ "a new task is where perf says, wherever its parent is", {
		{ PUT, 0, 5, 5, 1 }, { SPACES, 10, 7, 1, 200 }, { NEW, 11, 5, 7, 0 },
		{ SPACES, 10, 8, 101, 200 }, { NEW, 11, 9, 8, THREAD },
		{ ASK, 12, 7, 0, SCOPE_OUT }, { ASK, 12, 8, 0, SCOPE_IN }, END } },
	{ "of both types", {
		{ SPACES, 10, 5, 100, 200 }, { SPACES, 10, 6, 100, 1 },
		{ SPACES, 10, 7, 1, 200 }, { ASK, 11, 5, 0, SCOPE_IN },
		{ ASK, 11, 6, 0, SCOPE_OUT }, { ASK, 11, 7, 0, SCOPE_OUT }, END } },
	{ "one that perf could not tell", {
		{ SPACES, 10, 5, 0, 200 }, { SPACES, 10, 6, 0, 1 },
		{ ASK, 11, 5, 0, SCOPE_UNKNOWN }, { ASK, 11, 6, 0, SCOPE_OUT }, END } },
	{ "in and out", {
		{ PUT, 0, 5, 5, 0 }, { SPACES, 10, 5, 100, 200 }, { ASK, 9, 5, 0, SCOPE_UNKNOWN },
		{ ASK, 10, 5, 0, SCOPE_IN }, { SPACES, 20, 5, 102, 200 },
		{ ASK, 21, 5, 0, SCOPE_OUT }, END } },
	{ "an exec by a thread takes its namespaces along", {
		{ SPACES, 10, 5, 1, 200 }, { SPACES, 10, 6, 100, 200 }, { GONE, 10, 5, 5 },
		{ EXEC, 20, 5, 5, 6 }, { ASK, 21, 5, 0, SCOPE_IN },
		{ ASK, 21, 6, 0, SCOPE_UNKNOWN }, END } },
	{ "an id that is used again", {
		{ SPACES, 10, 5, 100, 200 }, { GONE, 10, 5, 5 }, { SPACES, 20, 5, 1, 1 },
		{ NEW, 21, 6, 5, 0 }, { ASK, 22, 5, 0, SCOPE_OUT },
		{ ASK, 9 * SECOND_NS, 5, 0, SCOPE_OUT }, END } },
	{ "nothing is known from before a gap", {
		{ SPACES, 10, 5, 100, 200 }, { GAP, 20 }, { ASK, 30, 5, 0, SCOPE_UNKNOWN },
		{ SPACES, 31, 5, 100, 200 }, { ASK, 32, 5, 0, SCOPE_IN }, END } },
	{ "where idle tasks are is not told", {
		{ SPACES, 10, 0, 100, 200 }, { ASK, 11, 0, 0, SCOPE_UNKNOWN }, END } },
};

static const uint64_t mounts[] = { 100, 101 }, pids[] = { 200 };
static const struct task_scope space_scope = { .namespaces = { { mounts, 2 }, { pids, 1 } } };

/* Ids of cgroups have 32 bits in the first. */
static const char *const kernels[] = { "4.19", "6.1" };
static const char *const paths[] = { "/a/b", "/c" };
static const struct task_scope scope = { .mount = "/nowhere", .paths = paths, .n = 2 };

#define TEXT_AT 64

static void apply(struct members *m, const struct step *step)
{
	unsigned int n;
	const struct event *e = &members_events(m, &n)[step->what];
	uint8_t record[128] = { 0 };
	struct sample s = { .time = step->time, .tid = step->by, .size = sizeof(record),
			    .record = record };
	const uint64_t loc = step->path ? (strlen(step->path) + 1) << 16 | TEXT_AT : 0;
	const bool of_cgroup = step->what == RMDIR || step->what == RENAME;

	put_input(record, e, "pid", step->pid);
	put_input(record, e, step->what == EXEC ? "old_pid" : step->what == NEW ? "clone_flags" :
		  of_cgroup ? "root" : "dst_root", step->other);
	put_input(record, e, of_cgroup ? "path" : "dst_path", loc);
	if (step->path)
		strcpy((char *)record + TEXT_AT, step->path);
	members_apply(m, (enum member_event)step->what, &s);
}

static void ask(struct members *m, const char *what, const struct step *step)
{
	const struct sample s = { .time = step->time, .tid = step->by };
	const enum in_scope found = members_find(m, &s);

	ck_assert_msg(found == step->other, "%s: at %llu task %u is %d", what,
		      (unsigned long long)step->time, step->by, found);
}

static void follow(struct members *m, const char *what, const struct step *steps)
{
	for (; steps->what != END_OF_STEPS; steps++) {
		if (steps->what == PUT)
			members_put(m, steps->by, steps->pid, steps->other);
		else if (steps->what == GAP)
			members_gap(m, steps->time);
		else if (steps->what == ASK)
			ask(m, what, steps);
		else if (steps->what == SPACES)
			members_namespaces(m, steps->by, steps->time,
					   (uint32_t[]){ steps->pid, (uint32_t)steps->other });
		else
			apply(m, steps);
	}
}

START_TEST(stream)
{
	for (unsigned int i = 0; i < 2; i++) {
		struct kernel *k = trial_kernel(kernels[i]);
		struct error err = { "" };
		struct members *m = members_new(k, &scope, &err);

		ck_assert_msg(m != NULL, "%s", err.text);
		follow(m, streams[_i].what, streams[_i].steps);
		members_free(m);
		kernel_free(k);
	}
}
END_TEST

START_TEST(stream_of_version1)
{
	const struct task_scope first = { .mount = "/nowhere", .hierarchy = 3, .paths = paths,
					  .n = 2 };
	struct kernel *k = trial_kernel("6.1");
	struct members *m = members_new(k, &first, NULL);

	ck_assert(m != NULL);
	follow(m, "version 1", version1);
	members_free(m);
	kernel_free(k);
}
END_TEST

START_TEST(stream_of_spaces)
{
	struct kernel *k = trial_kernel("6.1");
	struct error err = { "" };
	struct members *m = members_new(k, &space_scope, &err);

	ck_assert_msg(m != NULL, "%s", err.text);
	follow(m, spaces[_i].what, spaces[_i].steps);
	members_free(m);
	kernel_free(k);
}
END_TEST

/* A record that ends too early says nothing, and is not read beyond its end. */
START_TEST(short_records)
{
	struct kernel *k = trial_kernel(kernels[1]);
	struct members *m = members_new(k, &scope, NULL);

	for (int event = 0; event < MEMBER_EVENTS; event++)
		for (uint32_t size = 0; size < 44; size++) {
			/* of that size, so that a sanitizer sees more */
			uint8_t *record = malloc(size + 1);
			struct sample s = { .time = 10, .tid = 5, .size = size, .record = record };

			memset(record, 0x31, size + 1);
			members_apply(m, (enum member_event)event, &s);
			free(record);
		}
	ask(m, "short", &(struct step){ ASK, 11, 5, 0, SCOPE_UNKNOWN });
	members_free(m);
	kernel_free(k);
}
END_TEST

static const struct {
	const char *kernel, *path, *why;	/* of cgroups */
	bool spaces;				/* the kernel tells namespaces */
} refused[] = {
	{ "6.1", "/a", NULL, true },
	{ "4.12", "/a", NULL, true },
	{ "4.9", "/a", NULL },
	{ "4.4", "/a", "this kernel has no tracepoint cgroup:cgroup_attach_task" },
	{ "3.10", "/a", "this kernel has no tracepoint cgroup:cgroup_attach_task" },
	{ "6.1", NULL, "up to 1023 bytes", true },
};

START_TEST(refuses)
{
	struct kernel *k = trial_kernel(refused[_i].kernel);
	struct error err = { "" }, why;
	char longer[2048];
	const char *path = refused[_i].path ? refused[_i].path : longer;
	const struct task_scope asked = { .paths = &path, .n = 1 };

	memset(longer, 'a', sizeof(longer));
	longer[0] = '/';
	longer[sizeof(longer) - 1] = '\0';
	ck_assert_int_eq(members_refuse(k, &asked, &err), refused[_i].why ? -1 : 0);
	ck_assert_int_eq(members_refuse(k, NULL, &err), 0);
	ck_assert_int_eq(members_refuse(k, &space_scope, &why),
			 refused[_i].spaces ? 0 : -1);
	if (refused[_i].why)
		ck_assert_msg(strstr(err.text, refused[_i].why), "%s", err.text);
	kernel_free(k);
}
END_TEST

/* What is read from /proc: this process, through a kernel that says it is the running one. */
static uint64_t fake_now;
static uint64_t now(void)
{
	return fake_now;
}

START_TEST(reads_proc)
{
	static const char *const root[] = { "/" }, *const other[] = { "/no such cgroup" };
	const struct task_scope all = { .mount = "/nowhere", .paths = root, .n = 1 };
	const struct task_scope none = { .mount = "/nowhere", .paths = other, .n = 1 };
	struct kernel *k = trial_kernel(kernels[1]);
	const uint32_t self = (uint32_t)getpid();
	const bool version2 = !access("/sys/fs/cgroup/cgroup.procs", F_OK) ||
			      !access("/sys/fs/cgroup/unified/cgroup.procs", F_OK);
	struct members *m;

	if (!version2)		/* the kernel then has no line of it */
		goto out;
	m = members_new(k, &all, NULL);
	members_seed(m);
	ask(m, "seeded", &(struct step){ ASK, 1, self, 0, SCOPE_IN });
	members_gap(m, 50);
	ask(m, "no clock", &(struct step){ ASK, 60, self, 0, SCOPE_UNKNOWN });
	members_clock(m, now);
	fake_now = 100;
	ask(m, "before", &(struct step){ ASK, 99, self, 0, SCOPE_UNKNOWN });
	ask(m, "read", &(struct step){ ASK, 100, self, 0, SCOPE_IN });
	members_gap(m, 200);
	fake_now = 250;
	ask(m, "soon", &(struct step){ ASK, 251, self, 0, SCOPE_UNKNOWN });
	fake_now = 100 + 100000000;
	ask(m, "later", &(struct step){ ASK, fake_now, self, 0, SCOPE_IN });
	ask(m, "nobody", &(struct step){ ASK, fake_now, 0x7ffffff0, 0, SCOPE_UNKNOWN });
	members_free(m);
	m = members_new(k, &none, NULL);
	members_seed(m);
	ask(m, "elsewhere", &(struct step){ ASK, 1, self, 0, SCOPE_OUT });
	members_free(m);
out:
	kernel_free(k);
}
END_TEST

Suite *suite_members(void)
{
	Suite *s = suite_create("members");

	add_tests(s, "stream", stream, sizeof(streams) / sizeof(streams[0]));
	add_tests(s, "version1", stream_of_version1, 1);
	add_tests(s, "spaces", stream_of_spaces, sizeof(spaces) / sizeof(spaces[0]));
	add_tests(s, "short", short_records, 1);
	add_tests(s, "refused", refuses, sizeof(refused) / sizeof(refused[0]));
	add_tests(s, "proc", reads_proc, 1);
	return s;
}
