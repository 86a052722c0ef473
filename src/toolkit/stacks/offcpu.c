// SPDX-License-Identifier: GPL-2.0
/*
 * Threads that are off their CPUs. Programs see the threads that leave a CPU while they are traced.
 * Threads that left before are found in /proc. Threads that are not back at the end are counted
 * here.
 */
#include "src/toolkit/stacks/offcpu.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/strbuf.h"
#include "compat/user/task_stat.h"
#include "src/run/options/common.h"
#include "src/toolkit/proc.h"
#include "src/toolkit/stacks/hottest.h"
#include "src/toolkit/stacks/stacks.h"
#include "src/toolkit/stacks/stacks_internal.h"

#define PF_KTHREAD 0x200000		/* of a task's flags */
#define MOST_US 1000000000000		/* eleven days */

#define TO(MEMBER) .to = OPTION_MEMBER(struct offcpu_options, MEMBER)
#define GIVEN(MEMBER) .given = OPTION_GIVEN(struct offcpu_options, MEMBER)

const struct option offcpu_options[] = {
	{ 'p', "pid" },
	{ 't', "tid" },
	{ 'u', "user-threads-only", "no threads of the kernel", OPTION_FLAG,
	  TO(user_threads_only) },
	{ 'k', "kernel-threads-only", "threads of the kernel only", OPTION_FLAG,
	  .excludes = "user-threads-only", TO(kernel_threads_only) },
	{ 'U', "user-stacks-only", "no stacks of the kernel", OPTION_FLAG, TO(user_stacks_only) },
	{ 'K', "kernel-stacks-only", "no stacks of user space", OPTION_FLAG,
	  .excludes = "user-stacks-only", TO(kernel_stacks_only) },
	{ 'm', "min-block-time", "leave out times shorter than this", OPTION_NUMBER, "US", 1,
	  MOST_US, 0, TO(min_block_time) },
	{ 'M', "max-block-time", "leave out times longer than this", OPTION_NUMBER, "US", 1,
	  MOST_US, 0, TO(max_block_time) },
	{ 0, "state", "only threads that left their CPU in one of these states; 0: runnable",
	  OPTION_NUMBER, "BITS", 0, 255, 0, TO(state), GIVEN(state_given) },
	{ 'f', "folded" },
	{ 'd', "delimited" },
	{ 'a', "annotations" },
	{ 's', "offsets" },
	{ 'A', "addresses" },
	{ 0, "duration", .positional = true },
	{ }
};

const struct tool_stacks offcpu_stacks = {
	"times", { { "us", .divisor = 1000 } }, .off_cpu = true,
};

int offcpu_prepare(struct run *r, const struct offcpu_tool *tool, struct error *err)
{
	const struct offcpu_options *o = run_asked(r);
	int64_t least = o->min_block_time, most = o->max_block_time, state = o->state;
	bool of_state = o->state_given;

	if (tool->until_woken && of_state && !state)
		return fail(err, "%s: --state 0: a runnable thread has no waker",
			    r->tool->name);
	run_constant(r, "sleeper", tool->sleeper);
	run_constant(r, "waker", tool->waker);
	run_constant(r, "alone", !tool->waker);
	run_constant(r, "until_woken", tool->until_woken);
	run_constant(r, "threads", o->user_threads_only || o->kernel_threads_only);
	run_constant(r, "kernel_stacks", !o->user_stacks_only);
	run_constant(r, "user_stacks", !o->kernel_stacks_only);
	run_constant(r, "of_state", of_state);
	run_constant(r, "runnable", !state);
	run_constant(r, "states", state);
	run_constant(r, "min_ns", least * 1000);
	run_constant(r, "max_ns", most ? most * 1000 + 999 : 0);
	return 0;
}

static bool in_limits(const struct run *r, uint64_t ns)
{
	const struct offcpu_options *o = run_asked(r);
	uint64_t least = (uint64_t)o->min_block_time, most = (uint64_t)o->max_block_time;

	return ns / 1000 >= least && (!most || ns / 1000 <= most);
}

/* ---- Threads as /proc shows them ---- */

struct thread {
	char comm[16];
	int state;			/* as in prev_state of a switch; 0: running or runnable */
	bool kernel;
};

static int state_bits(char letter)
{
	static const char letters[] = "SDTt??PI";	/* ?: dead threads do not sleep */
	const char *at = letter != '?' ? strchr(letters, letter) : NULL;

	return at ? 1 << (at - letters) : 0;
}

/* Reads a thread from its `stat`, a path below `dir`. */
static bool read_thread(int dir, const char *path, struct thread *t)
{
	struct task_stat s;
	const char *name;
	uint64_t flags;
	size_t length;

	if (!task_stat_read(dir, path, &s) || !task_stat_number(&s, 9, UINT32_MAX, &flags))
		return false;
	name = strchr(s.text, '(');
	if (!name || name > s.state)
		return false;
	length = (size_t)(s.state - strlen(") ") - name - 1);
	*t = (struct thread){ .state = state_bits(*s.state), .kernel = flags & PF_KTHREAD };
	memcpy(t->comm, name + 1, length < sizeof(t->comm) ? length : sizeof(t->comm) - 1);
	return true;
}

/* ---- The beginning ---- */

struct seed {
	struct run *r;
	struct error *err;
	int result;
	unsigned int kthreads;	/* that a recording tells */
};

static bool state_wanted(const struct offcpu_options *o, int state)
{
	return !o->state_given || state & o->state;
}

/* Returns true if the thread sleeps, and the programs count such threads. */
static bool is_wanted(const struct run *r, uint32_t tid, uint32_t tgid, const struct thread *t)
{
	const struct offcpu_options *o = run_asked(r);

	return t->state && state_wanted(o, t->state) &&
	       filter_passes(&r->filters.filter, tid, tgid) &&
	       !(t->kernel && o->user_threads_only) &&
	       !(!t->kernel && o->kernel_threads_only);
}

static int add_kthread(struct run *r, uint32_t tid, struct error *err)
{
	const uint32_t one = 1;

	return run_shown(r, "threads") ? run_set(r, "kthreads", &tid, &one, err) : 0;
}

/*
 * Counts a sleeping thread from now on. It may be awake again when its entry is made. This does no
 * harm: when it falls asleep again, the programs overwrite the entry.
 */
static void seed_thread(void *arg, uint32_t tid, uint32_t tgid, int threads)
{
	struct seed *s = arg;
	struct offcpu_left left = {
		.sleeper = { .tgid = tgid, .kernel_stack = STACK_BEFORE, .user_stack = -EFAULT },
		.waker = { .tgid = UINT32_MAX, .kernel_stack = STACK_NOT_SEEN,
			   .user_stack = -EFAULT },
	}, known;
	struct thread t;
	char path[32];

	snprintf(path, sizeof(path), "%u/stat", tid);
	if (s->result || !read_thread(threads, path, &t))
		return;
	if (t.kernel && tid != KTHREADD)
		s->result = add_kthread(s->r, tid, s->err);
	if (s->result || !is_wanted(s->r, tid, tgid, &t) ||
	    !run_get(s->r, "left", &tid, &known))
		return;
	left.time = run_now(s->r);
	memcpy(left.sleeper.comm, t.comm, sizeof(t.comm));
	s->result = run_set(s->r, "left", &tid, &left, s->err);
}

/* Whether a recorded task slept when the recording began is not known. */
static void seed_recorded(void *arg, const struct run_task *task)
{
	struct seed *s = arg;

	if (s->result || task->ppid != KTHREADD)
		return;
	s->kthreads++;
	s->result = add_kthread(s->r, task->tid, s->err);
}

static void write_list(struct strbuf *line, const char *what, const struct asked_filter *a)
{
	strbuf_addf(line, "%s", what);
	for (unsigned int i = 0; i < a->n; i++)
		strbuf_addf(line, "%s%u", i ? "," : " ", (uint32_t)a->ids[i]);
}

static void say_banner(struct run *r, const struct offcpu_tool *tool)
{
	const struct asked_filter *tids = filter_asked(&r->filters.filter, "tid");
	const struct asked_filter *tgids = filter_asked(&r->filters.filter, "pid");
	const struct offcpu_options *o = run_asked(r);
	const char *kind = o->user_threads_only ? "user " :
			   o->kernel_threads_only ? "kernel " : "";
	struct strbuf line = { };
	char *text;

	if (tids)
		write_list(&line, "TID", tids);
	else if (tgids)
		write_list(&line, "PID", tgids);
	else
		strbuf_addf(&line, "%s%sthreads", run_filtered(r) ? "some " : *kind ? "" : "all ",
			    kind);
	text = strbuf_take(&line);
	if (text)
		output_line(r->output, "%s of %s by %s stack... Hit Ctrl-C to end.", tool->banner,
			    text, o->user_stacks_only ? "user" :
			    o->kernel_stacks_only ? "kernel" : "user + kernel");
	free(text);
}

int offcpu_started(struct run *r, const struct offcpu_tool *tool, struct error *err)
{
	struct seed s = { .r = r, .err = err };

	if (!common_of(r->options)->folded)
		say_banner(r, tool);
	run_each_recorded(r, seed_recorded, &s);
	if (run_is_recorded(r) && run_shown(r, "threads") && !s.kthreads)
		return fail(err, "%s: the recording does not tell which threads are the kernel's: "
				 "record with `sonde record`, or show all threads", r->tool->name);
	if (run_ids_are_procs(r) && proc_each_task(seed_thread, &s, err))
		return -1;
	return s.result ? s.result : add_kthread(r, KTHREADD, err);
}

/* ---- The end ---- */

struct still {
	struct run *r;
	struct stack_list *list;
};

/*
 * For an entry of seed_thread(). Returns true if the thread is awake: then it was awake when its
 * entry was made, and has not slept since.
 */
static bool runs_still(uint32_t tid)
{
	struct thread t;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/stat", tid);
	return read_thread(AT_FDCWD, path, &t) && !t.state;
}

/* How long a thread had been off its CPU at the end, ns. 0: it was not, or outside the limits. */
static uint64_t time_away(const struct run *r, uint32_t tid, const struct offcpu_left *left)
{
	uint64_t ns = r->time.stopped - left->time;

	if (!left->time || left->time > r->time.stopped || !in_limits(r, ns))
		return 0;
	return left->sleeper.kernel_stack == STACK_BEFORE && runs_still(tid) ? 0 : ns;
}

/* Adds an entry of `left`: its kept time, and the time of a thread that was off at the end. */
static void add_still(void *arg, const void *key, const void *value)
{
	struct still *s = arg;
	struct offwake_key shown = { };
	struct offcpu_left left = { };
	uint64_t ns;

	memcpy(&shown.key.tid, key, sizeof(shown.key.tid));
	memcpy(&left, value, run_shown(s->r, "waker") ? sizeof(left) :
	       sizeof(struct offcpu_alone));
	ns = time_away(s->r, shown.key.tid, &left) + left.kept;
	if (!ns)
		return;
	shown.key.sleeper = left.sleeper;
	shown.waker = left.waker;
	if (left.waker.kernel_stack == STACK_NOT_SEEN)
		shown.waker.kernel_stack = STACK_NOT_WOKEN;
	stack_list_add(s->list, &shown, &ns);
}

/*
 * Threads that are still off are taken first: this also waits until running programs have ended
 * (backend.h). With intervals (--top) a time is counted in the interval in which it ends.
 */
static int add_all(struct run *r, struct stack_list *list, struct error *err)
{
	struct still still = { r, list };

	return (!hottest_shown(r) && run_take(r, "left", add_still, &still, err)) ||
	       run_take(r, offcpu_stacks.map, stack_list_add, list, err) ||
	       stack_list_print(list, err) ? -1 : 0;
}

int offcpu_show(struct run *r, struct error *err)
{
	struct stack_list *list = stack_list_new(r, &offcpu_stacks);
	int result = list ? add_all(r, list, err) : fail(err, "out of memory");

	stack_list_free(list);
	return result;
}
