// SPDX-License-Identifier: GPL-2.0
#include "backends/bpf/bpf_attach.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/bpf/bpf_kept.h"
#include "backends/bpf/bpf_samples.h"
#include "backends/kinds/kinds.h"
#include "backends/kinds/links.h"
#include "backends/rings/perf_ring.h"
#include "backends/tracefs/detach.h"
#include "backends/tracefs/tracefs.h"
#include "compat/base/array.h"
#include "compat/base/bpf.h"
#include "compat/base/clock.h"
#include "compat/base/cpus.h"
#include "compat/base/perf_event.h"
#include "compat/base/scan.h"
#include "compat/binaries/binaries.h"
#include "compat/kinds/costs.h"
#include "compat/user/task_stat.h"
#include "compat/user/threads.h"

#define DETACH_MS 10000		/* time to wait for the detacher of a sonde that has ended */
#define ATTACH_AGAIN_MS 50
/* Items of an iterator for each of which a program may hand over records before they are read. */
#define WALKED_AT_ONCE 64

struct bpf_events {
	struct kernel *kernel;
	const struct plan *plan;
	FILE *verbose;
	struct probes *probes;		/* NULL: no probe is made in tracefs */
	/* there are probes whose missed hits are unknown: the PMU's, uretprobes, samples */
	bool untold;
	bool profiled;			/* there are probes whose missed hits tracefs counts */
	unsigned int cpu;		/* events are opened on this CPU */
	/* the process whose functions are probed in user space; ANY_TASK: all processes */
	pid_t process;
	bool unseen;			/* the process has threads that are not probed any more */
	uint64_t looked;		/* the last test for such threads, CLOCK_MONOTONIC */
	int watched;			/* an event of the process, to see its end; -1: none */
	void *page;			/* the mapped page of `watched` */
	int *fds;			/* one for each attachment; -1: none, or it samples */
	unsigned int *turns;		/* the attachments in the order in which they are made */
	struct bpf_samples samples;
	struct bpf_kept kept;
	struct bpf_links links;
};

const char *bpf_event_title(const struct event *event, char title[BPF_EVENT_TITLE])
{
	event_ops(event)->title(event, title, BPF_EVENT_TITLE);
	return title;
}

/*
 * A program runs for every hit on every CPU as soon as it is attached to an open event: the kernel
 * looks for programs before it looks for enabled events. So one event on one CPU is enough. It is
 * never enabled: counting would cost each hit on its CPU 50 ns. With period 0 the event could only
 * count.
 */
static int open_event(const struct bpf_events *e, struct perf_event_attr *attr, pid_t process)
{
	attr->disabled = 1;
	return perf_event_open(attr, process, process == ANY_TASK ? (int)e->cpu : ANY_CPU);
}

/*
 * A probe on a function of user space is opened for its process alone, if the process is known:
 * then the kernel puts the breakpoint only into this process. Other processes, which may call
 * malloc() a million times a second, pay nothing. A process can't be named by a main thread that
 * has ended.
 */
static int open_user(const struct bpf_events *e, struct perf_event_attr *attr)
{
	int fd = open_event(e, attr, e->process);

	return fd < 0 && errno == ESRCH ? open_event(e, attr, ANY_TASK) : fd;
}

/*
 * Puts a PMU's number and its bit for return probes into attr. Returns false if sysfs does not have
 * them.
 */
static bool pmu_numbers(struct kernel *k, const struct event *event, struct perf_event_attr *attr)
{
	const struct pmu *pmu = event_ops(event)->pmu;
	const char *type = kernel_text(k, pmu->type), *format;
	uint64_t number, bit;

	if (!type || !scan_number(&type, UINT32_MAX, &number) || !scan_end(&type))
		return false;
	attr->type = (uint32_t)number;
	if (!event_traits(event->kind)->returns)
		return true;
	format = kernel_text(k, pmu->retprobe);
	if (!format || !scan_text(&format, "config:") || !scan_number(&format, 63, &bit) ||
	    !scan_end(&format))
		return false;
	attr->config = 1ULL << bit;
	return true;
}

static int pmu_failed(const struct event *event, int error, struct error *err)
{
	char title[BPF_EVENT_TITLE];

	bpf_event_title(event, title);
	if (event->binary && (error == ENOENT || error == EINVAL))
		return fail_with(err, error, "can't make the %s: %m\n"
				 "there is no such file, or no code at that place in it", title);
	if (error == ENOENT || error == EINVAL || error == EADDRNOTAVAIL)
		return fail_with(err, error, "can't make the %s: %m\n"
				 "this kernel has no such function, or it may not be probed",
				 title);
	return perf_open_failed(error, title, err);
}

static int open_pmu(const struct bpf_events *e, const struct event *event,
		    struct perf_event_attr *attr, struct error *err)
{
	int fd;

	/* The name of the function or file, and the offset in it. */
	attr->config1 = (uintptr_t)(event->binary ? event->binary->file : event->name);
	attr->config2 = event->address;
	/* The semaphore's offset is the upper half of config (sysfs: format/ref_ctr_offset). */
	if (event->semaphore && event->kernel_counts)
		attr->config |= (uint64_t)event->semaphore << 32;
	fd = event->binary ? open_user(e, attr) : open_event(e, attr, ANY_TASK);
	return fd < 0 ? pmu_failed(event, errno, err) : fd;
}

static int open_numbered(const struct bpf_events *e, const struct event *event, struct error *err)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.config = (uint64_t)event->id,
	};
	char title[BPF_EVENT_TITLE];
	int fd;

	bpf_event_title(event, title);
	if (event->id < 0)
		return fail(err, "this kernel has no event %s", title);
	fd = event->binary ? open_user(e, &attr) : open_event(e, &attr, ANY_TASK);
	return fd < 0 ? perf_open_failed(errno, title, err) : fd;
}

static int open_tracepoint(struct bpf_events *e, unsigned int attachment, const char **way,
			   struct error *err)
{
	int fd = open_numbered(e, e->plan->attachments[attachment].event, err);

	*way = "tracepoint";
	e->fds[attachment] = fd;
	return fd < 0 ? -1 : 0;
}

/*
 * A task may wait in any function, at least for a CPU, so a return probe waits for many returns at
 * a time. Only a definition in tracefs can request room for so many; the PMU can't.
 */
static bool wants_tracefs(struct kernel *k, const struct event *event)
{
	const bool dots = !event->binary && strchr(event->name, '.');

	return (event_ops(event)->definition->room && kernel_has(k, FEATURE_KRETPROBE_ROOM)) ||
	       (dots && !kernel_has(k, FEATURE_KPROBE_DOTS) && kernel_has(k, FEATURE_KPROBES));
}

/* Makes a probe and opens its event. Returns the file descriptor, or -1. */
static int make_and_open(struct bpf_events *e, struct event *event, const char **way,
			 struct error *err)
{
	const struct event_ops *ops = event_ops(event);
	struct perf_event_attr attr = { 0 };

	if (!wants_tracefs(e->kernel, event) && kernel_has(e->kernel, ops->pmu->feature) &&
	    pmu_numbers(e->kernel, event, &attr)) {
		*way = "PMU";
		e->untold |= ops->missed != MISSED_NONE;
		return open_pmu(e, event, &attr, err);
	}
	*way = "tracefs";
	/* If an event takes only one program, each program gets a probe of its own. */
	if (!e->probes)
		e->probes = probes_new(e->kernel, !kernel_has(e->kernel, FEATURE_BPF_MULTI), err);
	if (!e->probes || probes_add(e->probes, event, err))
		return -1;
	e->profiled |= missed_in_profile(ops->missed);
	return open_numbered(e, event, err);
}

static int open_probe(struct bpf_events *e, unsigned int attachment, const char **way,
		      struct error *err)
{
	int fd = make_and_open(e, e->plan->attachments[attachment].event, way, err);

	e->fds[attachment] = fd;
	return fd < 0 ? -1 : 0;
}

static int attach_event(struct bpf_events *e, unsigned int attachment, int program)
{
	return ioctl(e->fds[attachment], PERF_EVENT_IOC_SET_BPF, program);
}

static int attach_tracepoint(struct bpf_events *e, unsigned int attachment, int program)
{
	if (attach_event(e, attachment, program))
		return -1;
	return kernel_has(e->kernel, FEATURE_BPF_MULTI) ? 0 :
	       bpf_kept_add(&e->kept, e->fds[attachment], program);
}

static int open_samples(struct bpf_events *e, unsigned int attachment, const char **way,
			struct error *err)
{
	const struct event *event = e->plan->attachments[attachment].event;

	*way = "clock";
	return bpf_samples_open(&e->samples, e->kernel, event, attachment, e->verbose, err);
}

static int attach_samples(struct bpf_events *e, unsigned int attachment, int program)
{
	return bpf_samples_attach(&e->samples, attachment, program);
}

/* Makes nothing: the link makes the probe when it attaches the program. */
static int open_link(struct bpf_events *e, unsigned int attachment, const char **way,
		     struct error *err)
{
	(void)e, (void)attachment, (void)err;
	*way = "link";
	return 0;
}

static int attach_link(struct bpf_events *e, unsigned int attachment, int program)
{
	struct event *event = e->plan->attachments[attachment].event;

	return event_ops(event)->link(&e->links, event, program);
}

/* The iterator keeps the program. */
static int attach_iterator(struct bpf_events *e, unsigned int attachment, int program)
{
	const int fd = bpf_iterator(program);

	e->fds[attachment] = fd;
	errno = fd < 0 ? -fd : 0;
	return fd < 0 ? -1 : 0;
}

static int open_none(struct bpf_events *e, unsigned int attachment, const char **way,
		     struct error *err)
{
	const struct event *event = e->plan->attachments[attachment].event;
	char title[BPF_EVENT_TITLE];

	*way = "";
	return fail(err, "no BPF program runs on the %s", bpf_event_title(event, title));
}

/*
 * open() opens the event of an attachment, and names the way for -v; no program runs yet. attach()
 * attaches the program. It returns -1 and sets errno on failure.
 */
static const struct way {
	int (*open)(struct bpf_events *e, unsigned int attachment, const char **way,
		    struct error *err);
	int (*attach)(struct bpf_events *e, unsigned int attachment, int program);
} ways[] = {
	[BPF_WAY_NONE] = { open_none, NULL },
	[BPF_WAY_TRACEPOINT] = { open_tracepoint, attach_tracepoint },
	[BPF_WAY_PROBE] = { open_probe, attach_event },
	[BPF_WAY_SAMPLES] = { open_samples, attach_samples },
	[BPF_WAY_LINK] = { open_link, attach_link },
	[BPF_WAY_ITERATOR] = { open_link, attach_iterator },
};

static const struct way *way_of(const struct event *event)
{
	return &ways[event_ops(event)->way];
}

/*
 * The kernel runs first what came last to a function, and elsewhere what came first. A kretprobe
 * notes each call on a stack, so at the return the first one's turn comes first. Programs run in
 * the order of the plan.
 */
static bool last_runs_first(const struct event *event)
{
	const struct event_traits *t = event_traits(event->kind);

	if (t->returns && !t->user && !t->typed_function)
		return false;
	return t->function || t->user || t->typed_function;
}

static void take_turns(struct bpf_events *e)
{
	const unsigned int n = e->plan->n_attachments;
	unsigned int first = 0, last = n;

	for (unsigned int i = 0; i < n; i++)
		if (last_runs_first(e->plan->attachments[i].event))
			e->turns[--last] = i;
		else
			e->turns[first++] = i;
}

unsigned int bpf_events_turn(const struct bpf_events *e, unsigned int i)
{
	return e->turns[i];
}

struct bpf_events *bpf_events_new(struct kernel *k, const struct plan *plan, FILE *verbose)
{
	struct bpf_events *e = calloc(1, sizeof(*e));
	const char *online = kernel_text(k, CPUS_ONLINE);
	unsigned int last;

	if (e)
		e->fds = malloc((plan->n_attachments + 1) * (sizeof(*e->fds) + sizeof(*e->turns)));
	if (!e || !e->fds) {
		free(e);
		return NULL;
	}
	e->turns = (unsigned int *)(e->fds + plan->n_attachments + 1);
	e->kernel = k;
	e->plan = plan;
	e->verbose = verbose;
	e->process = plan->n_processes == 1 ? (pid_t)plan->processes[0] : ANY_TASK;
	e->links = (struct bpf_links){ .process = e->process, .verbose = verbose };
	e->watched = -1;
	if (!online || !cpu_list_range(&online, &e->cpu, &last))
		e->cpu = 0;
	for (unsigned int i = 0; i < plan->n_attachments; i++)
		e->fds[i] = -1;
	take_turns(e);
	return e;
}

int bpf_events_open(struct bpf_events *e, struct error *err)
{
	char title[BPF_EVENT_TITLE];
	const char *way;

	for (unsigned int i = 0; i < e->plan->n_attachments; i++) {
		const unsigned int turn = e->turns[i];
		const struct attachment *a = &e->plan->attachments[turn];

		if (!a->program)
			continue;
		if (kernel_stopped(e->kernel, err))
			return -1;
		a->event->refused = 0;
		if (way_of(a->event)->open(e, turn, &way, err)) {
			if (event_refused(a->event, err, e->verbose))
				return -1;
			continue;
		}
		e->untold |= event_ops(a->event)->missed == MISSED_UNTOLD;
		if (e->verbose)
			fprintf(e->verbose, "bpf: opened %s (%s)\n",
				bpf_event_title(a->event, title),
				way);
	}
	return plan_events_left(e->plan);
}

/*
 * Returns true if the task of an event has ended: the main thread has ended, or another thread has
 * called exec. The kernel reports this only for an event with a ring; an event without a ring
 * always seems to have hung up. A ring without any room for records is enough.
 */
static bool has_hung_up(int fd)
{
	struct pollfd p = { .fd = fd };

	return fd >= 0 && poll(&p, 1, 0) == 1 && p.revents & POLLHUP;
}

static void watch_process(struct bpf_events *e)
{
	for (unsigned int i = 0; i < e->plan->n_attachments && !e->page; i++) {
		if (!e->plan->attachments[i].event->binary || e->fds[i] < 0)
			continue;
		e->page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED,
			       e->fds[i], 0);
		e->watched = e->page == MAP_FAILED ? -1 : e->fds[i];
	}
}

/* Returns true if the main thread has ended. It is a zombie while other threads run. */
static bool main_ended(pid_t process, int fd)
{
	struct task_stat s;
	char path[40];

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)process);
	return has_hung_up(fd) || (task_stat_read(AT_FDCWD, path, &s) && *s.state == 'Z');
}

static bool has_functions(const struct plan *plan)
{
	for (unsigned int i = 0; i < plan->n_attachments; i++)
		if (plan->attachments[i].event->binary)
			return true;
	return false;
}

/*
 * The kernel recognizes a process by its main thread. When the main thread has ended, the other
 * threads are not probed any more.
 */
static void look_for_process(struct bpf_events *e)
{
	const uint64_t now = monotonic_ns();

	if (e->process == ANY_TASK || e->unseen || now < e->looked + NS_PER_SECOND ||
	    !has_functions(e->plan))
		return;
	e->looked = now;
	if (!e->page)
		watch_process(e);
	e->unseen = main_ended(e->process, e->watched) && process_goes_on((uint32_t)e->process);
}

void bpf_events_start(struct bpf_events *e)
{
	bpf_kept_start(&e->kept);
}

void bpf_events_follow(struct bpf_events *e)
{
	bpf_samples_follow(&e->samples);
	bpf_kept_look(&e->kept);
	look_for_process(e);
}

bool bpf_events_unseen(const struct bpf_events *e)
{
	return e->unseen;
}

void bpf_events_stop(struct bpf_events *e)
{
	bpf_samples_stop(&e->samples);
	bpf_kept_look(&e->kept);
	if (e->page && e->page != MAP_FAILED)
		munmap(e->page, (size_t)sysconf(_SC_PAGESIZE));
	e->page = NULL;
	e->watched = -1;
}

uint64_t bpf_events_uncovered(const struct bpf_events *e)
{
	return bpf_samples_uncovered(&e->samples);
}

uint64_t bpf_events_removed(const struct bpf_events *e)
{
	return e->kept.removed;
}

static int not_attached(const struct event *event, int error, struct error *err)
{
	char title[BPF_EVENT_TITLE];

	bpf_event_title(event, title);
	switch (error) {
	case EEXIST:
		return fail(err, "can't trace %s: another program is attached to it\n"
			    "kernels before 4.15 take one BPF program an event: end the other "
			    "tracer,\n"
			    "or use --backend perf or --backend ftrace", title);
	case E2BIG:
		return fail(err, "can't trace %s: too many BPF programs are attached to it\n"
			    "end other tracers, or use --backend perf or --backend ftrace", title);
	case EACCES:
		return fail(err, "can't trace %s: the program reads beyond the end of the event\n"
			    "this is a bug of sonde; try --backend perf or --backend ftrace",
			    title);
	case EINVAL:
		return fail(err, "can't trace %s: this kernel takes no BPF program on it%s\n"
			    "use --backend perf or --backend ftrace", title,
			    strcmp(event->system, "syscalls") ? "" : " (before 4.14)");
	default:
		return fail_with(err, error, "can't trace %s: the program can't be attached: %m\n"
				 "try --backend perf or --backend ftrace", title);
	}
}

/* The kernel lists functions that it takes no program on: those that it inlines, or protects. */
static bool may_be_left_out(const struct event *event, int error)
{
	return event_traits(event->kind)->function && !event_traits(event->kind)->user &&
	       (error == EINVAL || error == ENOENT || error == EADDRNOTAVAIL);
}

int bpf_events_attach(struct bpf_events *e, unsigned int attachment, int program, struct error *err)
{
	struct event *event = e->plan->attachments[attachment].event;
	const int64_t until = monotonic_ms() + DETACH_MS;
	int error;

	if (event->refused)
		return 0;
	error = way_of(event)->attach(e, attachment, program) ? errno : 0;

	/*
	 * The event may take only one program, and the program of an ended sonde may still be
	 * attached. The detacher of that sonde removes the program first. It may run longer,
	 * because it waits while this sonde starts.
	 */
	for (bool last = false; error == EEXIST && !last && monotonic_ms() < until;) {
		last = detach_wait(e->kernel, ATTACH_AGAIN_MS);
		error = way_of(event)->attach(e, attachment, program) ? errno : 0;
	}
	if (!error)
		return 0;
	not_attached(event, error, err);
	return may_be_left_out(event, error) ? event_refused(event, err, e->verbose) : -1;
}

bool bpf_events_missed(const struct bpf_events *e, uint64_t *missed)
{
	uint64_t n = 0;

	if (e->profiled && probes_missed(e->probes, &n))
		return false;
	*missed += n;
	if (!bpf_links_missed(&e->links, kernel_has(e->kernel, FEATURE_BPF_MISSED), missed))
		return false;
	return !e->untold && (!e->probes || probes_tell(e->probes));
}

int bpf_events_walk(struct bpf_events *e, unsigned int attachment)
{
	char items[WALKED_AT_ONCE];
	const ssize_t n = read(e->fds[attachment], items, sizeof(items));

	return n < 0 ? -errno : n > 0;
}

static void close_events(struct bpf_events *e, bool calls)
{
	for (unsigned int i = 0; i < e->plan->n_attachments; i++)
		if (e->fds[i] >= 0 && event_marks_tasks(e->plan->attachments[i].event) == calls)
			close(e->fds[i]);
}

/*
 * The kernel waits for all CPUs at the end of each event, but not of a link. All system calls of
 * all tasks take a slower path until the last event of a system call has ended: these go first.
 */
void bpf_events_close(struct bpf_events *e)
{
	if (!e)
		return;
	bpf_links_close(&e->links);
	close_events(e, true);
	close_events(e, false);
	bpf_samples_close(&e->samples);
	/* After the events: a probe can't be removed while an event is open on it. */
	probes_free(e->probes);
	bpf_kept_free(&e->kept);
	free(e->fds);
	free(e);
}

bool bpf_events_named(const struct bpf_events *e)
{
	return e && e->probes;
}

struct holder *bpf_events_holder(struct bpf_events *e)
{
	return e ? probes_holder(e->probes) : NULL;
}
