// SPDX-License-Identifier: GPL-2.0
#include "backends/recorder/trace_recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/ftrace/ftrace_read.h"
#include "backends/ftrace/ftrace_settings.h"
#include "backends/ftrace/ftrace_source.h"
#include "backends/perf/local_clock.h"
#include "backends/stream/delay.h"
#include "compat/base/clock.h"
#include "compat/base/file.h"

#define PIPE (1 << 20)		/* bytes; the kernel gives less to users without rights */

struct trace_recorder {
	struct kernel *kernel;
	FILE *verbose;
	struct ftrace_source source;
	struct ftrace_reader reader;
	struct ftrace_waiter waiter;
	unsigned int cpus;
	int pipe[2];
	size_t room;			/* bytes of the pipe, whole pages */
	bool unspliced;			/* the kernel refuses to splice pages out of the rings */
	bool copied;			/* the file's file system can't be spliced to */
};

/* Pages of a ring take a slot each, however large the pages of memory are. */
static int open_pipe(struct trace_recorder *t, struct error *err)
{
	const long page = sysconf(_SC_PAGESIZE);
	int size;

	if (pipe2(t->pipe, O_CLOEXEC))
		return fail_with(err, errno, "can't make a pipe: %m");
	fcntl(t->pipe[1], F_SETPIPE_SZ, PIPE);
	size = fcntl(t->pipe[1], F_GETPIPE_SZ);
	t->room = (size_t)(size > 0 ? size / page : 16) * t->reader.layout.size;
	return 0;
}

static int set_up(struct trace_recorder *t, const struct trace_recorder_options *o,
		  struct error *err)
{
	const char *clock;
	int cpus;

	t->source.instance = instance_new(t->kernel, err);
	if (!t->source.instance)
		return -1;
	t->reader.instance = instance_path(t->source.instance);
	if (ftrace_source_open(&t->source, t->reader.instance, false, err) ||
	    ftrace_settings(t->kernel, &t->reader, o->pages, 0, &clock, err))
		return -1;
	if (o->verbose)
		fprintf(o->verbose, "ftrace: instance %s, %u pages of %u bytes a CPU, clock %s\n",
			t->reader.instance, t->reader.ring_pages, t->reader.layout.size, clock);
	cpus = ftrace_reader_open(&t->reader, err);
	if (cpus < 0)
		return -1;
	t->cpus = (unsigned int)cpus;
	ftrace_waiter_open(&t->waiter, &t->reader, 1);
	return open_pipe(t, err);
}

struct trace_recorder *trace_recorder_open(struct kernel *k,
					   const struct trace_recorder_options *o,
					   struct error *err)
{
	struct trace_recorder *t = calloc(1, sizeof(*t));

	if (!t) {
		fail(err, "out of memory");
		return NULL;
	}
	t->kernel = k;
	t->verbose = o->verbose;
	t->source.tracing_on = t->source.cpus = t->waiter.epoll = -1;
	t->pipe[0] = t->pipe[1] = -1;
	tracefs_sweep_instances(k);
	if (!set_up(t, o, err))
		return t;
	trace_recorder_close(t);
	return NULL;
}

void trace_recorder_close(struct trace_recorder *t)
{
	for (unsigned int i = 0; i < 2; i++)
		if (t->pipe[i] >= 0)
			close(t->pipe[i]);
	ftrace_waiter_close(&t->waiter);
	ftrace_source_close(&t->source);
	ftrace_reader_close(&t->reader);
	instance_free(t->source.instance);
	free(t);
}

int trace_recorder_add(struct trace_recorder *t, const char *system, const char *name,
		       struct error *err)
{
	struct ftrace_target target = { };

	return ftrace_events_add(&t->source.events, t->kernel, system, name, NULL, &target,
				 &t->reader.targets, err);
}

int trace_recorder_start(struct trace_recorder *t, struct error *err)
{
	return ftrace_events_enable(&t->source.events, t->reader.instance, NULL, t->verbose,
				    err) ||
	       ftrace_source_on(&t->source, err) ? -1 : 0;
}

void trace_recorder_stop(struct trace_recorder *t)
{
	if (!ftrace_source_off(&t->source) && t->verbose)
		fprintf(t->verbose, "ftrace: can't stop tracing: %s\n", strerror(errno));
	sleep_ns(DELAY_NS);
}

unsigned int trace_recorder_cpus(const struct trace_recorder *t)
{
	return t->cpus;
}

uint32_t trace_recorder_page(const struct trace_recorder *t)
{
	return t->reader.layout.size;
}

bool trace_recorder_clocked(const struct trace_recorder *t)
{
	return t->reader.mono;
}

int64_t trace_recorder_apart(const struct trace_recorder *t)
{
	return trace_recorder_clocked(t) ? 0 : local_clock_apart();
}

char *trace_recorder_text(const struct trace_recorder *t, const char *file, struct error *err)
{
	char *text = tracefs_text(t->reader.instance, file);

	if (!text)
		tracefs_fail(err, errno, "can't read %s/%s", t->reader.instance, file);
	return text;
}

void trace_recorder_wait(struct trace_recorder *t, int ms)
{
	ftrace_wait(&t->waiter, &t->reader, 1, ms);
}

static int cant_write(struct error *err)
{
	return fail_with(err, errno, "can't write the recording: %m");
}

static int write_page(struct trace_recorder *t, int fd, size_t n, struct error *err)
{
	const int error = file_write_all(fd, t->reader.page, n);

	errno = -error;
	return error ? cant_write(err) : 0;
}

/* What a file system refuses to take by splice(2) is copied, as some network's do. */
static int copy_pipe(struct trace_recorder *t, int fd, size_t n, struct error *err)
{
	while (n) {
		const size_t most = n < t->reader.layout.size ? n : t->reader.layout.size;
		const ssize_t done = read(t->pipe[0], t->reader.page, most);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return cant_write(err);
		if (write_page(t, fd, (size_t)done, err))
			return -1;
		n -= (size_t)done;
	}
	return 0;
}

static int empty_pipe(struct trace_recorder *t, int fd, size_t n, struct error *err)
{
	while (n && !t->copied) {
		const ssize_t done = splice(t->pipe[0], NULL, fd, NULL, n, SPLICE_F_MOVE);

		if (done > 0)
			n -= (size_t)done;
		else if (done < 0 && errno == EINVAL)
			t->copied = true;
		else if (done >= 0 || errno != EINTR)
			return cant_write(err);
	}
	return copy_pipe(t, fd, n, err);
}

/* Returns the bytes that are in the pipe then; 0: no page is full; -1: errno tells why. */
static ssize_t fill_pipe(struct trace_recorder *t, const struct ftrace_cpu *c)
{
	ssize_t n;

	do
		n = splice(c->fd, NULL, t->pipe[1], NULL, t->room,
			   SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
	while (n < 0 && errno == EINTR);
	return n < 0 && errno == EAGAIN ? 0 : n;
}

static int ring_failed(const struct ftrace_cpu *c, struct error *err)
{
	return tracefs_fail(err, errno, "can't read the ring of CPU %u", c->cpu);
}

static bool is_half_full(const struct trace_recorder *t)
{
	struct ftrace_page page;

	return !ftrace_page_open(&page, &t->reader.layout, t->reader.page,
				 t->reader.layout.size) &&
	       page.end > t->reader.layout.size / 2;
}

/*
 * Reads a page, full or not. A CPU that is at its newest page would fill the file with nearly empty
 * ones: the next reading goes on. Returns 1 if there may be more; 0; -1 and sets err on failure.
 */
static int read_page(struct trace_recorder *t, struct ftrace_cpu *c, bool last,
		     trace_file_fn file, void *arg, struct error *err)
{
	const uint32_t size = t->reader.layout.size;
	ssize_t n;
	int fd;

	do
		n = read(c->fd, t->reader.page, size);
	while (n < 0 && errno == EINTR);
	if (n < 0 && errno != EAGAIN)
		return ring_failed(c, err);
	if (n <= 0)
		return 0;
	memset(t->reader.page + n, 0, size - (size_t)n);
	fd = file(arg, c->cpu, err);
	c->pages++;
	return fd < 0 || write_page(t, fd, size, err) ? -1 :
	       last || is_half_full(t);
}

static int splice_pages(struct trace_recorder *t, struct ftrace_cpu *c, trace_file_fn file,
			void *arg, struct error *err)
{
	const ssize_t n = fill_pipe(t, c);
	int fd;

	if (n < 0 && (errno == EINVAL || errno == ENOSYS || errno == EPERM)) {
		t->unspliced = true;
		return 1;
	}
	if (n < 0)
		return ring_failed(c, err);
	if (!n)
		return 0;
	fd = file(arg, c->cpu, err);
	c->pages += (unsigned int)((size_t)n / t->reader.layout.size);
	return fd < 0 || empty_pipe(t, fd, (size_t)n, err) ? -1 : 1;
}

/* Of a CPU that writes faster than its pages are moved, the rest is left to the next reading. */
static int drain(struct trace_recorder *t, struct ftrace_cpu *c, bool last, trace_file_fn file,
		 void *arg, struct error *err)
{
	int more = 1;

	c->pages = 0;
	while (more > 0 && (last || c->pages <= t->reader.ring_pages))
		more = t->unspliced ? read_page(t, c, last, file, arg, err) :
		       splice_pages(t, c, file, arg, err);
	for (more = more < 0 ? -1 : last; more > 0; )
		more = read_page(t, c, true, file, arg, err);
	return more;
}

/* A CPU may have stopped in the middle of an event: then this is still among the unread ones. */
static int look_again(struct trace_recorder *t, struct ftrace_cpu *c, trace_file_fn file,
		      void *arg, struct error *err)
{
	char text[FTRACE_STATS];

	if (ftrace_stats_text(&t->reader, c, text, err))
		return -1;
	if (!ftrace_stats_parse(text).unread)
		return 0;
	sleep_ns(DELAY_MOST_NS / 2);
	return drain(t, c, true, file, arg, err);
}

int trace_recorder_read(struct trace_recorder *t, bool last, trace_file_fn file, void *arg,
			struct error *err)
{
	for (unsigned int i = 0; i < t->reader.n_cpus; i++) {
		struct ftrace_cpu *c = &t->reader.cpus[i];

		if (drain(t, c, last, file, arg, err) ||
		    (last && look_again(t, c, file, arg, err)))
			return -1;
	}
	return 0;
}

int trace_recorder_ends(const struct trace_recorder *t,
			void (*each)(void *arg, const struct trace_ring_end *end), void *arg,
			struct error *err)
{
	for (unsigned int i = 0; i < t->reader.n_cpus; i++) {
		const struct ftrace_cpu *c = &t->reader.cpus[i];
		char text[FTRACE_STATS];
		struct ftrace_stats stats;

		if (ftrace_stats_text(&t->reader, c, text, err))
			return -1;
		stats = ftrace_stats_parse(text);
		each(arg, &(struct trace_ring_end){
			.cpu = c->cpu, .stats = text, .events = stats.read,
			.lost = stats.lost + stats.unread, .unread = stats.unread,
		});
	}
	return 0;
}
