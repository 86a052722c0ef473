// SPDX-License-Identifier: GPL-2.0
#include "src/lib/symbols/maps.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "compat/base/scan.h"
#include "compat/kernel/doubt.h"
#include "compat/user/guard.h"

#define SILENCE_MS 2000
#define HANGS_MOST 3
#define LINES_MOST 65536		/* lines of one process; a process with more is hostile */

struct reading {
	const uint32_t *pids;
	size_t n;
	maps_fn each;
	void *arg;
	volatile struct {
		uint32_t pid;		/* whose maps are read */
		int error;		/* the last that is not the process's; 0: none */
	} *now;				/* in shared memory */
	uint32_t skip[HANGS_MOST];	/* processes that did not answer */
	unsigned int n_skip;
	/* Only in the process that reads: */
	int to;
	size_t used;
	union {
		char bytes[GUARD_MESSAGE];
		uint64_t align;
	} message;
};

bool maps_parse(char *line, struct maps_line *m, const char **path)
{
	const char *at = line;
	uint64_t major, minor;
	char mode[5];

	if (!scan_hex(&at, UINT64_MAX, &m->start) || !scan_text(&at, "-") ||
	    !scan_hex(&at, UINT64_MAX, &m->end) || !scan_text(&at, " ") ||
	    !scan_until(&at, " ", mode, sizeof(mode)) || strlen(mode) < 4 || mode[2] != 'x' ||
	    !scan_text(&at, " ") || !scan_hex(&at, UINT64_MAX, &m->offset) ||
	    !scan_text(&at, " ") || !scan_hex(&at, UINT32_MAX, &major) || !scan_text(&at, ":") ||
	    !scan_hex(&at, UINT32_MAX, &minor) || !scan_text(&at, " ") ||
	    !scan_number(&at, UINT64_MAX, &m->key.inode))
		return false;
	m->key.major = (uint32_t)major;
	m->key.minor = (uint32_t)minor;
	m->key.generation = 0;
	scan_text(&at, " ");
	line[at - line + (ptrdiff_t)strcspn(at, "\n")] = '\0';
	*path = at;
	return true;
}

static void flush(struct reading *r)
{
	if (r->used)
		guard_send(r->to, r->message.bytes, r->used, -1);
	r->used = 0;
}

/* Bytes of a line in a message. Each line begins at a multiple of eight. */
static size_t length_of(const char *path)
{
	return (offsetof(struct maps_line, path) + strlen(path) + 8) & ~(size_t)7;
}

static void say(struct reading *r, const struct maps_line *line, const char *path)
{
	const size_t n = length_of(path);

	if (n > sizeof(r->message))
		return;
	if (n > sizeof(r->message) - r->used)
		flush(r);
	memset(r->message.bytes + r->used, 0, n);
	memcpy(r->message.bytes + r->used, line, offsetof(struct maps_line, path));
	strcpy(r->message.bytes + r->used + offsetof(struct maps_line, path), path);
	r->used += n;
}

static void read_process(struct reading *r, uint32_t pid)
{
	struct maps_line m = { .pid = pid };
	char name[32], *line = NULL;
	const char *path;
	size_t size = 0;
	FILE *maps;

	for (unsigned int i = 0; i < r->n_skip; i++)
		if (r->skip[i] == pid)
			return;
	r->now->pid = pid;
	snprintf(name, sizeof(name), "/proc/%u/maps", pid);
	maps = fopen(name, "re");
	for (int i = 0; maps && i < LINES_MOST && getline(&line, &size, maps) > 0; i++)
		if (maps_parse(line, &m, &path))
			say(r, &m, path);
	if (maps ? ferror(maps) : error_passes(errno))
		r->now->error = errno;
	if (maps)
		fclose(maps);
	free(line);
}

static void read_all(struct reading *r)
{
	DIR *dir = opendir("/proc");
	struct dirent *d;

	if (!dir)
		r->now->error = errno;
	while (dir && (d = readdir(dir)))
		if (isdigit((unsigned char)d->d_name[0]))
			read_process(r, (uint32_t)strtoul(d->d_name, NULL, 10));
	if (dir)
		closedir(dir);
}

static void work(void *arg, int to)
{
	struct reading *r = arg;

	r->to = to;
	for (size_t i = 0; r->pids && i < r->n; i++)
		read_process(r, r->pids[i]);
	if (!r->pids)
		read_all(r);
	flush(r);
}

static void take(void *arg, const void *message, size_t size, int fd)
{
	const struct reading *r = arg;
	const char *at = message, *end = at + size;

	if (fd >= 0)
		close(fd);
	while ((size_t)(end - at) > offsetof(struct maps_line, path)) {
		const struct maps_line *line = (const void *)at;

		if (!memchr(line->path, '\0', (size_t)(end - line->path)))
			return;
		r->each(r->arg, line);
		at += length_of(line->path);
		if (at > end)
			return;
	}
}

void maps_read(const uint32_t *pids, size_t n, const volatile sig_atomic_t *stop, maps_fn each,
	       void *arg, struct lacks *lacks)
{
	struct reading *r = calloc(1, sizeof(*r));
	const struct guarded g = { .work = work, .take = take, .arg = r, .opens = true,
				   .stop = stop, .ms = SILENCE_MS };
	enum guard_end end = GUARD_HANGS;
	void *page = mmap(NULL, sizeof(*r->now), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (r && page != MAP_FAILED) {
		r->pids = pids;
		r->n = n;
		r->each = each;
		r->arg = arg;
		r->now = page;
		while (r->n_skip < HANGS_MOST && (end = guard_run(&g)) == GUARD_HANGS) {
			lacks_add(lacks, 0, "process %u: its mappings can't be read within %d s",
				  r->now->pid, SILENCE_MS / 1000);
			r->skip[r->n_skip++] = r->now->pid;
		}
		if (end == GUARD_FAILED)
			r->now->error = errno;
		if (r->now->error)
			lacks_add(lacks, r->now->error, "mappings of processes can't be read: %s",
				  strerror(r->now->error));
	}
	if (page != MAP_FAILED)
		munmap(page, sizeof(*r->now));
	free(r);
}
