// SPDX-License-Identifier: GPL-2.0
#include "compat/recordings/trace/trace_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/recordings/trace/trace_side.h"
#include "compat/recordings/perf/tracing_write.h"

#define MOVED (1U << 20)	/* bytes that are moved at a time */
#define UNMADE (-1)

enum { CPUSTAT = 2, TRACECLOCK = 4, UNAME = 5, CPUCOUNT = 8 };

struct trace_writer {
	int fd;
	char *path;			/* for messages */
	const struct trace_head *head;
	uint64_t size;			/* of the file */
	int *pages;			/* files of CPUs; UNMADE: it has no pages yet */
};

static int write_text(struct trace_writer *w, struct strbuf *text, struct error *err)
{
	const int error = text->cut ? 0 : file_write_all(w->fd, text->s, text->n);
	const int result = text->cut ? fail(err, "out of memory") :
			   error ? fail_with(err, -error, "can't write %s: %m", w->path) : 0;

	w->size += result ? 0 : text->n;
	free(text->s);
	*text = (struct strbuf){ };
	return result;
}

static int write_head(struct trace_writer *w, struct error *err)
{
	const struct trace_head *head = w->head;
	const struct tracing_written written = {
		.kernel = head->kernel, .events = head->events, .n_events = head->n_events,
		.version = "6", .page = head->page, .header_page = head->header_page,
		.printed = true,
	};
	struct strbuf text = { };

	tracing_data_write(&text, &written);
	if (write_text(w, &text, err))
		return -1;
	/* On a full disk the end has room to begin with; the rest is cut off. */
	if (fallocate(w->fd, FALLOC_FL_KEEP_SIZE, (off_t)w->size, 2 * MOVED) && errno == ENOSPC)
		return fail_with(err, errno, "can't write %s: %m", w->path);
	return 0;
}

static int create(struct trace_writer *w, const char *path, struct error *err)
{
	struct stat st;

	w->fd = file_create_private(path);
	if (w->fd < 0)
		return fail_with(err, -w->fd, "can't make %s: %s", path, w->fd == -ELOOP ?
				 FILE_FOREIGN_LINK : strerror(-w->fd));
	return !fstat(w->fd, &st) && S_ISREG(st.st_mode) ? 0 :
	       fail(err, "%s is no file: a trace.dat can't be written into a pipe or a device",
		    path);
}

struct trace_writer *trace_writer_open(const char *path, const struct trace_head *head,
				       struct error *err)
{
	struct trace_writer *w = calloc(1, sizeof(*w));

	if (!w) {
		fail(err, "out of memory");
		return NULL;
	}
	w->head = head;
	w->path = strdup(path);
	w->pages = malloc((head->cpus + 1) * sizeof(*w->pages));
	for (unsigned int i = 0; w->pages && i < head->cpus; i++)
		w->pages[i] = UNMADE;
	w->fd = -1;
	if (!w->path || !w->pages)
		fail(err, "out of memory");
	else if (!create(w, path, err) && !write_head(w, err))
		return w;
	trace_writer_close(w, NULL);
	return NULL;
}

/* A file without a name in the folder of the recording: it is gone however the recorder ends. */
static int make_nameless(const char *path)
{
	const char *slash = strrchr(path, '/');
	const int n = slash ? (int)(slash - path + 1) : 0;
	char *name = NULL;
	int fd = -1;

	if (asprintf(&name, "%.*s.", n, path) < 0)
		return -1;
#ifdef O_TMPFILE
	fd = open(name, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#endif
	free(name);
	/* Before 3.11, and in some file systems, a file begins with a name. */
	if (fd >= 0 || asprintf(&name, "%.*s.sonde-XXXXXX", n, path) < 0)
		return fd;
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0)
		unlink(name);
	free(name);
	return fd;
}

int trace_writer_pages(struct trace_writer *w, unsigned int cpu, struct error *err)
{
	if (cpu >= w->head->cpus)
		return fail(err, "CPU %u was not there when the recording began", cpu);
	if (w->pages[cpu] == UNMADE)
		w->pages[cpu] = make_nameless(w->path);
	if (w->pages[cpu] == UNMADE)
		fail_with(err, errno, "can't make a file beside %s: %m", w->path);
	return w->pages[cpu];
}

/* ---- the end ---- */

static void put_option(struct strbuf *to, uint16_t id, const void *bytes, size_t n)
{
	put_u16(to, id);
	put_u32(to, (uint32_t)n);
	strbuf_add(to, bytes, n);
}

static void put_uname(struct strbuf *to, struct kernel *k)
{
	struct utsname name;
	struct strbuf text = { };

	if (uname(&name))
		strcpy(name.nodename, "localhost");
	strbuf_addf(&text, "Linux %s %s %s", name.nodename, kernel_release(k),
		    kernel_arch(k)->name);
	to->cut |= text.cut;
	if (!text.cut)
		put_option(to, UNAME, text.s, text.n + 1);
	free(text.s);
}

static void put_options(struct strbuf *to, const struct trace_head *head,
			const struct trace_tail *tail)
{
	const uint32_t cpus = head->cpus;

	strbuf_add(to, "options  ", 10);
	for (size_t at = 0, n; at < tail->stats->n; at += n) {
		n = strlen(tail->stats->s + at) + 1;
		put_option(to, CPUSTAT, tail->stats->s + at, n);
	}
	put_option(to, TRACECLOCK, head->clocks, strlen(head->clocks) + 1);
	put_uname(to, head->kernel);
	put_option(to, CPUCOUNT, &cpus, sizeof(cpus));
	put_option(to, TRACE_OPTION_SIDE, tail->side->s, tail->side->n);
	if (head->probes)
		put_option(to, TRACE_OPTION_PROBES, head->probes->s, head->probes->n);
	put_u16(to, 0);
	to->cut |= tail->stats->cut || tail->side->cut;
}

/* The bytes of whole pages. */
static uint64_t size_of(const struct trace_writer *w, unsigned int cpu)
{
	struct stat st;

	return w->pages[cpu] == UNMADE || fstat(w->pages[cpu], &st) ? 0 :
	       (uint64_t)st.st_size - (uint64_t)st.st_size % w->head->page;
}

/* Where the pages of each CPU are going to be, and zeros up to these. */
static void put_places(struct strbuf *to, const struct trace_writer *w)
{
	const uint64_t page = w->head->page, table = w->head->cpus * 2 * sizeof(uint64_t);
	uint64_t at;

	strbuf_add(to, "flyrecord", 10);
	at = (w->size + to->n + table + page - 1) / page * page;
	for (unsigned int i = 0; i < w->head->cpus; i++) {
		put_u64(to, at);
		put_u64(to, size_of(w, i));
		at += size_of(w, i);
	}
	put_zeros(to, (size_t)(-(w->size + to->n) % page));
}

static int move_pages(struct trace_writer *w, unsigned int cpu, struct error *err)
{
	const uint64_t size = size_of(w, cpu);
	off_t at = 0;

	while ((uint64_t)at < size) {
		const off_t before = at;
		const uint64_t left = size - (uint64_t)at;
		const ssize_t n = sendfile(w->fd, w->pages[cpu], &at, left < MOVED ? left : MOVED);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return fail_with(err, n ? errno : EIO, "can't write %s: %s", w->path,
					 strerror(n ? errno : EIO));
		w->size += (uint64_t)n;
		/* Where the file system can't give back the room, the disk has it twice. */
		fallocate(w->pages[cpu], FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, before, n);
	}
	if (w->pages[cpu] != UNMADE)
		close(w->pages[cpu]);
	w->pages[cpu] = UNMADE;
	return 0;
}

int trace_writer_end(struct trace_writer *w, const struct trace_tail *tail, struct error *err)
{
	const size_t names = tail->names ? strlen(tail->names) : 0;
	struct strbuf text = { };

	put_u64(&text, names);
	strbuf_add(&text, tail->names ? tail->names : "", names);
	put_u32(&text, w->head->cpus);
	put_options(&text, w->head, tail);
	put_places(&text, w);
	if (write_text(w, &text, err))
		return -1;
	for (unsigned int i = 0; i < w->head->cpus; i++)
		if (move_pages(w, i, err))
			return -1;
	return 0;
}

uint64_t trace_writer_bytes(const struct trace_writer *w)
{
	return w->size;
}

int trace_writer_close(struct trace_writer *w, struct error *err)
{
	int result = 0;

	for (unsigned int i = 0; w->pages && i < w->head->cpus; i++)
		if (w->pages[i] != UNMADE)
			close(w->pages[i]);
	/* Gives back the room that was kept for the end. */
	if (w->fd >= 0 && ftruncate(w->fd, (off_t)w->size) && err)
		result = fail_with(err, errno, "can't write %s: %m", w->path);
	if (w->fd >= 0 && close(w->fd) && err)
		result = fail_with(err, errno, "can't write %s: %m", w->path);
	free(w->pages);
	free(w->path);
	free(w);
	return result;
}
