// SPDX-License-Identifier: GPL-2.0
/* From the rings of ftrace to a file in memory. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/base/scan.h"
#include "compat/base/text.h"
#include "compat/recordings/trace/live.h"

#define PATH 512
#define STATS 1024
#define CLOSE_ON_EXEC 1		/* MFD_CLOEXEC */
#define TRACEFS_TYPE 0x74726163

/* One ring while it is copied. */
struct copy {
	struct recording *r;
	uint64_t entries;		/* events that were in it at the beginning */
	uint64_t seen;			/* events that were copied */
	uint64_t last;			/* the time of the last one */
	bool missed;			/* events were lost right before the next page */
	bool torn;			/* see struct live */
	struct error *err;
};

/* Before 3.17 there are no files in memory alone. */
static int open_spool(struct recording *r, struct error *err)
{
	FILE *file;

	r->bytes.file = true;
	r->bytes.fd = (int)syscall(SYS_memfd_create, "sonde", CLOSE_ON_EXEC);
	if (r->bytes.fd >= 0)
		return 0;
	file = tmpfile();
	if (file) {
		r->bytes.fd = fcntl(fileno(file), F_DUPFD_CLOEXEC, 0);
		fclose(file);
	}
	return r->bytes.fd < 0 ? fail_with(err, errno, "can't make a file for the events: %m") : 0;
}

static int keep(struct recording *r, const uint8_t *page, struct error *err)
{
	const size_t size = trace_data_of(r)->layout.size;
	size_t have = 0;

	while (have < size) {
		const ssize_t n = pwrite(r->bytes.fd, page + have, size - have,
					 (off_t)(r->bytes.size + have));

		if (n < 0 && errno != EINTR)
			return fail_with(err, errno, "can't keep the events of %s: %m",
					 r->bytes.path);
		have += n > 0 ? (size_t)n : 0;
	}
	r->bytes.size += size;
	return 0;
}

/* Marks a page as the kernel does in those that are read. */
static void mark_missed(const struct ftrace_layout *l, uint8_t *page)
{
	uint8_t *low = page + l->commit + (FTRACE_OWN_BIG_ENDIAN ? l->commit_size - 4 : 0);
	uint32_t length;

	memcpy(&length, low, sizeof(length));
	length |= FTRACE_MISSED;
	memcpy(low, &length, sizeof(length));
}

/* Keeps a page, and notes what it has. A page that can't be read is told when it is read again. */
static int add_page(void *arg, uint8_t *bytes)
{
	struct copy *c = arg;
	struct trace_data *t = trace_data_of(c->r);
	struct ftrace_record record;
	struct ftrace_page page;
	uint16_t type;

	if (!bytes) {
		c->torn = c->missed = true;
		return 0;
	}
	if (c->missed)
		mark_missed(&t->layout, bytes);
	c->missed = false;
	if (ftrace_page_open(&page, &t->layout, bytes, t->layout.size))
		return keep(c->r, bytes, c->err);
	while (ftrace_page_next(&page, &record) > 0) {
		c->seen++;
		c->last = trace_ns(t, record.time);
		if (record.size < sizeof(type))
			continue;
		memcpy(&type, record.data, sizeof(type));
		t->types[type / 8] |= (uint8_t)(1 << type % 8);
	}
	return keep(c->r, bytes, c->err);
}

/*
 * Takes pages out, until those that were there at the beginning are out: a ring may be written as
 * fast as it is read.
 */
static int take_pages(struct copy *c, int fd)
{
	const uint32_t size = trace_data_of(c->r)->layout.size;
	const struct bytes *b = &c->r->bytes;
	uint8_t *page = calloc(1, size);
	int result = page ? 0 : fail(c->err, "out of memory");

	while (!result && c->seen < c->entries && !(b->stop && *b->stop)) {
		const ssize_t n = read(fd, page, size);

		if (!n || (n < 0 && errno == EAGAIN))
			break;
		if (n < 0 && errno != EINTR)
			result = fail_with(c->err, errno, "can't read the rings of %s: %m",
					   b->path);
		if (n <= 0)
			continue;
		memset(page + n, 0, size - (size_t)n);
		result = add_page(c, page);
	}
	free(page);
	return result;
}

/* The number behind a word of per_cpu/cpuN/stats. */
static uint64_t count_of(const char *stats, const char *word)
{
	const char *at = strstr(stats, word);
	uint64_t n;

	return at && scan_text(&at, word) && scan_number(&at, UINT64_MAX, &n) ? n : 0;
}

/*
 * What the kernel counted as lost is all behind the last event, if a full ring keeps its oldest
 * events. It counts since the rings were made: if events were read before, it is not known which of
 * the lost ones were between those that are here.
 */
static int note_losses(struct copy *c, struct live *live, uint32_t cpu, const char *stats)
{
	struct trace_data *t = trace_data_of(c->r);
	const uint64_t before = count_of(stats, "\nread events: ");
	char text[STATS + 32];

	live->before += before;
	if (before)
		return 0;
	if (t->keeps_oldest && c->seen && count_of(stats, "\ndropped events: ") &&
	    (!live->full || c->last < live->full))
		live->full = c->last;
	text_cut(text, sizeof(text), "CPU: %u\n%s", cpu, stats);
	return trace_stats_read(c->r, text, c->err);
}

static int copy_ring(struct recording *r, struct live *live, uint32_t cpu, struct error *err)
{
	struct trace_data *t = trace_data_of(r);
	struct copy c = { .r = r, .err = err };
	const uint64_t begin = r->bytes.size;
	char path[PATH], stats[STATS];
	struct statfs fs;
	int fd, result;

	text_all(path, sizeof(path), "%s/per_cpu/cpu%u/stats", live->folder, cpu);
	result = file_read(path, stats, sizeof(stats));
	if (result < 0)
		return fail_with(err, -result, "can't read %s: %m", path);
	c.entries = count_of(stats, "entries: ");
	c.missed = count_of(stats, "\noverrun: ");
	text_all(path, sizeof(path), "%s/per_cpu/cpu%u/trace_pipe_raw", live->folder, cpu);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return fail_with(err, errno, "can't read %s: %m", path);
	/* Whoever owns another file can cut it while it is mapped. */
	result = !c.entries ? 0 : fstatfs(fd, &fs) || (unsigned int)fs.f_type != TRACEFS_TYPE ? 1 :
		 live_pages_map(fd, &t->layout, add_page, &c);
	if (result < 0 && !*err->text)
		fail(err, "out of memory");
	if (result > 0) {
		live->taken = true;
		result = take_pages(&c, fd);
	}
	close(fd);
	live->torn |= c.torn;
	if (result || note_losses(&c, live, cpu, stats))
		return -1;
	t->newest = c.last > t->newest ? c.last : t->newest;
	return trace_ring_add(r, cpu, begin, r->bytes.size - begin, false, err);
}

int live_pages_copy(struct recording *r, struct live *live, struct error *err)
{
	char path[PATH];
	struct dirent *entry;
	int result = open_spool(r, err);
	DIR *dir;

	text_all(path, sizeof(path), "%s/per_cpu", live->folder);
	dir = opendir(path);
	if (!dir)
		return fail_with(err, errno, "can't read %s: %m", path);
	while (!result && (entry = readdir(dir))) {
		const char *at = entry->d_name;
		uint64_t cpu;

		if (scan_text(&at, "cpu") && scan_number(&at, CPUS_MOST - 1, &cpu) && !*at)
			result = copy_ring(r, live, (uint32_t)cpu, err);
	}
	closedir(dir);
	return result;
}
