// SPDX-License-Identifier: GPL-2.0
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backends/stream/tables/tasks.h"
#include "compat/kernel/kernel_internal.h"

#include <check.h>

#include "tests/unit/helpers/put_input.h"
#include "tests/unit/helpers/replay_run.h"

Suite *suite_tasks(void);

#define NOBODY ((uint32_t)-1)
#define THREAD 0x00010000	/* CLONE_THREAD */
#define SECOND_NS 1000000000ULL

/* One step of a stream: an event, a gap, or a question with its answer. */
enum { NEW = TASK_NEW, RENAME = TASK_RENAME, EXEC = TASK_EXEC, GONE = TASK_EXIT, PUT, GAP, ASK };

struct step {
	int what;
	uint64_t time;		/* GAP: its end */
	uint32_t by;		/* common_pid; PUT and ASK: the task */
	uint32_t pid;		/* of the event; PUT and ASK: the tgid */
	uint32_t other;		/* NEW: clone_flags, EXEC: old_pid */
	const char *comm;	/* ASK: NULL: unknown */
};

static const struct {
	const char *what;
	struct step steps[16];
} streams[] = {
	{ "a task is what it was put in as, another is unknown", {
		{ PUT, 0, 5, 4, 0, "five" }, { ASK, 1, 5, 4, 0, "five" },
		{ ASK, 1, 6, NOBODY, 0, NULL } } },
	{ "a fork is a process of its own, with its parent's name", {
		{ PUT, 0, 5, 5, 0, "five" }, { NEW, 10, 5, 7, 0, "five" },
		{ ASK, 11, 7, 7, 0, "five" } } },
	{ "a thread is its parent's process's", {
		{ PUT, 0, 5, 4, 0, "five" }, { NEW, 10, 5, 7, THREAD, "five" },
		{ ASK, 11, 7, 4, 0, "five" } } },
	{ "a thread of a task that is not known", {
		{ NEW, 10, 5, 7, THREAD, "seven" }, { ASK, 11, 7, NOBODY, 0, "seven" } } },
	{ "a thread that /proc had already, and that an ended thread had made", {
		{ PUT, 0, 7, 4, 0, "seven" }, { NEW, 10, 5, 7, THREAD, "five" },
		{ ASK, 11, 7, 4, 0, "five" }, { GONE, 12, 7, 7, 0, NULL },
		{ NEW, 13, 5, 7, THREAD, "five" }, { ASK, 14, 7, NOBODY, 0, "five" } } },
	{ "but its process is its own, whoever its parent is", {
		{ NEW, 10, 5, 7, 0, "seven" }, { ASK, 11, 7, 7, 0, "seven" } } },
	{ "a new name", {
		{ PUT, 0, 5, 4, 0, "five" }, { RENAME, 10, 5, 5, 0, "other" },
		{ ASK, 11, 5, 4, 0, "other" } } },
	{ "a name alone makes no process known", {
		{ RENAME, 10, 9, 5, 0, "other" }, { ASK, 11, 5, NOBODY, 0, "other" } } },
	{ "an exec keeps ids", {
		{ PUT, 0, 5, 5, 0, "sh" }, { RENAME, 10, 5, 5, 0, "ls" },
		{ EXEC, 11, 5, 5, 5, NULL },
		{ ASK, 12, 5, 5, 0, "ls" } } },
	{ "an exec by a thread takes over its leader's id", {
		{ PUT, 0, 5, 5, 0, "lead" }, { NEW, 10, 5, 7, THREAD, "lead" },
		{ RENAME, 11, 7, 7, 0, "thread" },
		{ GONE, 20, 5, 5, 0, NULL }, { RENAME, 3 * SECOND_NS, 5, 5, 0, "ls" },
		{ ASK, 3 * SECOND_NS + 1, 5, 5, 0, "ls" },
		{ EXEC, 3 * SECOND_NS + 2, 5, 5, 7, NULL },
		{ ASK, 3 * SECOND_NS + 3, 5, 5, 0, "ls" },
		{ ASK, 3 * SECOND_NS + 3, 7, NOBODY, 0, NULL },
		{ ASK, 8 * SECOND_NS, 5, 5, 0, "ls" } } },
	{ "whoever exits may still be seen a while", {
		{ PUT, 0, 5, 4, 0, "five" }, { GONE, 10, 5, 5, 0, NULL },
		{ ASK, 11, 5, 4, 0, "five" },
		{ ASK, 10 + SECOND_NS, 5, 4, 0, "five" },
		{ ASK, 11 + SECOND_NS, 5, NOBODY, 0, NULL },
		{ ASK, 11, 5, NOBODY, 0, NULL } } },
	{ "an id that is used again", {
		{ PUT, 0, 5, 4, 0, "five" }, { GONE, 10, 5, 5, 0, NULL },
		{ NEW, 20, 8, 5, 0, "new" },
		{ ASK, 21, 5, 5, 0, "new" }, { ASK, 20 + 5 * SECOND_NS, 5, 5, 0, "new" } } },
	{ "nothing is known from before a gap", {
		{ PUT, 0, 5, 4, 0, "five" }, { NEW, 10, 5, 7, 0, "seven" },
		{ GAP, 20, 0, 0, 0, NULL },
		{ ASK, 15, 5, NOBODY, 0, NULL }, { ASK, 15, 7, NOBODY, 0, NULL },
		{ ASK, 30, 5, NOBODY, 0, NULL } } },
	{ "nor from within it", {
		{ GAP, 20, 0, 0, 0, NULL }, { NEW, 15, 5, 7, 0, "seven" },
		{ ASK, 16, 7, NOBODY, 0, NULL },
		{ ASK, 30, 7, NOBODY, 0, NULL } } },
	{ "what is learned after it holds, but no more than that", {
		{ PUT, 0, 5, 4, 0, "five" }, { GAP, 20, 0, 0, 0, NULL },
		{ RENAME, 25, 5, 5, 0, "name" },
		{ ASK, 26, 5, NOBODY, 0, "name" }, { NEW, 27, 5, 7, 0, "seven" },
		{ ASK, 28, 7, 7, 0, "seven" },
		{ NEW, 29, 5, 8, THREAD, "eight" }, { ASK, 30, 8, NOBODY, 0, "eight" },
		{ EXEC, 31, 5, 5, 5, NULL }, { ASK, 32, 5, 5, 0, "name" } } },
	{ "idle tasks are nobody's events, and belong to process 0", {
		{ NEW, 10, 1, 0, 0, "idle" }, { ASK, 11, 0, 0, 0, NULL } } },
	{ "names are cut at 15 bytes", {
		{ PUT, 0, 5, 5, 0, "0123456789abcdefgh" },
		{ ASK, 1, 5, 5, 0, "0123456789abcde" } } },
};

static const char *const kernels[] = { "3.10", "6.1" };

static void put(uint8_t *record, const struct event *e, const char *name, uint64_t value)
{
	ck_assert_msg(put_input(record, e, name, value), "%s", name);
}

static void put_comm(uint8_t *record, const struct event *e, const char *name, const char *comm)
{
	const struct input *in = event_input(e, name);

	ck_assert_uint_eq(in->size, 16);
	strncpy((char *)record + in->offset, comm, 16);
}

static void apply(struct tasks *t, const struct step *step)
{
	const struct event *e = &tasks_events(t)[step->what];
	uint8_t record[128] = { 0 };
	struct sample s = { .time = step->time, .tid = step->by, .size = sizeof(record),
			    .record = record };

	put(record, e, "pid", step->pid);
	if (step->what == NEW) {
		put(record, e, "clone_flags", step->other);
		put_comm(record, e, "comm", step->comm);
	} else if (step->what == RENAME) {
		put_comm(record, e, "newcomm", step->comm);
	} else if (step->what == EXEC) {
		put(record, e, "old_pid", step->other);
	}
	tasks_apply(t, step->what, &s);
}

static void ask(struct tasks *t, const char *what, const struct step *step)
{
	struct sample s = { .time = step->time, .tid = step->by };

	tasks_find(t, &s);
	ck_assert_msg(s.tgid == step->pid, "%s: at %llu task %u is of %d", what,
		      (unsigned long long)step->time,
		      step->by, (int)s.tgid);
	ck_assert_msg(!s.comm == !step->comm && (!s.comm || !strncmp(s.comm, step->comm, 16)),
		      "%s: at %llu task %u is called %.16s", what, (unsigned long long)step->time,
		      step->by,
		      s.comm ? s.comm : "?");
}

static void follow(struct tasks *t, const char *what, const struct step *steps, unsigned int n)
{
	for (unsigned int i = 0; i < n && (steps[i].what || steps[i].time); i++) {
		if (steps[i].what == PUT)
			tasks_put(t, steps[i].by, steps[i].pid, steps[i].comm);
		else if (steps[i].what == GAP)
			tasks_gap(t, steps[i].time);
		else if (steps[i].what == ASK)
			ask(t, what, &steps[i]);
		else
			apply(t, &steps[i]);
	}
}

START_TEST(stream)
{
	for (unsigned int i = 0; i < 2; i++) {
		struct kernel *k = trial_kernel(kernels[i]);
		struct error err = { "" };
		struct tasks *t = tasks_new(k, 2, &err);

		ck_assert_msg(t != NULL, "%s", err.text);
		follow(t, streams[_i].what, streams[_i].steps, 16);
		tasks_free(t);
		kernel_free(k);
	}
}
END_TEST

static uint32_t nth_pid(uint32_t n)
{
	return n * n + 7;	/* not evenly spread: some share their place in the table */
}

/* Many tasks come and go. */
START_TEST(many_tasks)
{
	struct kernel *k = trial_kernel(kernels[1]);
	struct tasks *t = tasks_new(k, 2, NULL);
	uint64_t time = 1;
	char comm[16];

	for (uint32_t i = 1; i <= 40000; i++) {
		uint32_t pid = nth_pid(i);

		snprintf(comm, sizeof(comm), "task %u", i);
		apply(t, &(struct step){ NEW, time++, 1, pid, 0, comm });
		if (i % 3)
			apply(t, &(struct step){ GONE, time++, pid, pid, 0, NULL });
		if (i % 100 == 0)
			time += 2 * SECOND_NS;
		if (i % 5 == 0 && i > 50)	/* the thread that execs vanishes */
			apply(t, &(struct step){ EXEC, time++, 1, 1, nth_pid(i - 50), NULL });
	}
	time += 2 * SECOND_NS;
	for (uint32_t i = 1; i <= 40000; i++) {
		bool lives = i % 3 == 0 && (i % 5 || i > 40000 - 50);
		uint32_t pid = nth_pid(i);

		snprintf(comm, sizeof(comm), "task %u", i);
		ask(t, "many", &(struct step){ ASK, time, pid, lives ? pid : NOBODY, 0,
					       lives ? comm : NULL });
	}
	tasks_free(t);
	kernel_free(k);
}
END_TEST

/* A record that ends too early says nothing, and is not read beyond its end. */
START_TEST(short_records)
{
	struct kernel *k = trial_kernel(kernels[1]);
	struct tasks *t = tasks_new(k, 2, NULL);

	for (int event = 0; event < TASK_EVENTS; event++)
		for (uint32_t size = 0; size < 44; size++) {
			/* of that size, so that a sanitizer sees more */
			uint8_t *record = malloc(size + 1);
			struct sample s = { .time = 10, .tid = 5, .size = size, .record = record };

			memset(record, 0x31, size + 1);
			tasks_apply(t, event, &s);
			free(record);
		}
	ask(t, "short", &(struct step){ ASK, 11, 5, NOBODY, 0, NULL });
	tasks_free(t);
	kernel_free(k);
}
END_TEST

START_TEST(says_what_the_kernel_lacks)
{
	struct error err = { "" };
	struct kernel *k = trial_kernel(kernels[1]);

	ck_assert_int_eq(kernel_without(k, "tracepoint:task:task_newtask", &err), 0);
	ck_assert_ptr_null(tasks_new(k, 2, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "task:task_newtask"));
	kernel_free(k);
}
END_TEST

/* Without tracefs perf's side band tells: a process, its thread, its exec, their ends. */
START_TEST(is_told)
{
	static const struct task_life lives[] = {
		{ TASK_NEW, 9, 9, 1, "" }, { TASK_NEW, 10, 9, 9, "" },
		{ TASK_RENAME, 10, 9, 0, "worker" }, { TASK_RENAME, 9, 9, 0, "cat" },
		{ TASK_EXIT, 10, 9, 0, "" }, { TASK_NEW, 10, 10, 9, "" },
	};
	static const struct {
		uint32_t tid, tgid;
		const char *comm;
	} known[][2] = {
		{ { 9, 9, "init" }, { 10, NOBODY, NULL } }, { { 9, 9, "init" }, { 10, 9, "init" } },
		{ { 9, 9, "init" }, { 10, 9, "worker" } }, { { 9, 9, "cat" }, { 10, 9, "worker" } },
		{ { 9, 9, "cat" }, { 10, 9, "worker" } }, { { 9, 9, "cat" }, { 10, 10, "cat" } },
	};
	struct error err = { "" };
	struct kernel *k = trial_kernel(kernels[1]);
	struct tasks *t;

	ck_assert_int_eq(kernel_without(k, "tracefs", &err), 0);
	t = tasks_new(k, 2, &err);
	ck_assert_msg(t != NULL, "%s", err.text);
	ck_assert(tasks_are_told(t));
	tasks_put(t, 1, 1, "init");
	for (unsigned int i = 0; i < sizeof(lives) / sizeof(lives[0]); i++) {
		tasks_live(t, 10 * (i + 1), &lives[i]);
		for (unsigned int j = 0; j < 2; j++)
			ask(t, "told", &(struct step){ ASK, 10 * (i + 1) + 1, known[i][j].tid,
						       known[i][j].tgid, 0, known[i][j].comm });
	}
	tasks_free(t);
	kernel_free(k);
}
END_TEST

/* What is read from /proc: this process, through a kernel that says it is the running one. */
static uint64_t fake_now;
static uint64_t now(void)
{
	return fake_now;
}

struct thread {
	pthread_t thread;
	pthread_barrier_t ready, done;
	uint32_t tid;
};

static void *run_thread(void *arg)
{
	struct thread *thread = arg;

	thread->tid = syscall(SYS_gettid);
	prctl(PR_SET_NAME, "a thread\nof two");
	pthread_barrier_wait(&thread->ready);
	pthread_barrier_wait(&thread->done);
	return NULL;
}

START_TEST(reads_proc)
{
	struct kernel *k = trial_kernel(kernels[1]);
	struct facts live = *k->facts;
	struct thread thread;
	uint32_t self = getpid();
	struct tasks *t;

	live.live = true;
	k->facts = &live;
	verdict_set(&k->verdicts[FEATURE_ROOT_PIDNS], YES, "%s", "");
	t = tasks_new(k, 2, NULL);
	ck_assert_ptr_nonnull(t);
	prctl(PR_SET_NAME, "unit test");
	pthread_barrier_init(&thread.ready, NULL, 2);
	pthread_barrier_init(&thread.done, NULL, 2);
	ck_assert_int_eq(pthread_create(&thread.thread, NULL, run_thread, &thread), 0);
	pthread_barrier_wait(&thread.ready);

	tasks_seed(t);
	ask(t, "seeded", &(struct step){ ASK, 1, self, self, 0, "unit test" });
	ask(t, "seeded", &(struct step){ ASK, 1, thread.tid, self, 0, "a thread\nof two" });

	/* Without a clock nothing is read again; with one it is, and holds from the reading on. */
	tasks_gap(t, 50);
	prctl(PR_SET_NAME, "unit test 2");
	ask(t, "no clock", &(struct step){ ASK, 60, self, NOBODY, 0, NULL });
	tasks_clock(t, now);
	fake_now = 100;
	ask(t, "before", &(struct step){ ASK, 60, self, NOBODY, 0, NULL });
	ask(t, "before", &(struct step){ ASK, 99, self, NOBODY, 0, NULL });
	ask(t, "read", &(struct step){ ASK, 100, self, self, 0, "unit test 2" });
	ask(t, "thread", &(struct step){ ASK, 60, thread.tid, NOBODY, 0, NULL });
	ask(t, "thread", &(struct step){ ASK, 100, thread.tid, self, 0, "a thread\nof two" });

	/* A change that was on its way while /proc was read is applied when it comes. */
	apply(t, &(struct step){ RENAME, 70, self, self, 0, "then" });
	ask(t, "on its way", &(struct step){ ASK, 71, self, NOBODY, 0, "then" });

	/* Not more often than need be; a gap in the meantime counts. */
	tasks_gap(t, 200);
	fake_now = 250;
	ask(t, "soon", &(struct step){ ASK, 251, self, NOBODY, 0, NULL });
	fake_now = 100 + 100000000;
	ask(t, "later", &(struct step){ ASK, fake_now, self, self, 0, "unit test 2" });

	/* A task that was not there at first. */
	ask(t, "nobody", &(struct step){ ASK, fake_now, 0x7ffffff0, NOBODY, 0, NULL });

	pthread_barrier_wait(&thread.done);
	pthread_join(thread.thread, NULL);
	tasks_free(t);
	kernel_free(k);
}
END_TEST

Suite *suite_tasks(void)
{
	Suite *s = suite_create("tasks");

	add_tests(s, "stream", stream, sizeof(streams) / sizeof(streams[0]));
	add_tests(s, "many", many_tasks, 1);
	add_tests(s, "short", short_records, 1);
	add_tests(s, "lacking", says_what_the_kernel_lacks, 1);
	add_tests(s, "told", is_told, 1);
	add_tests(s, "proc", reads_proc, 1);
	return s;
}
