// SPDX-License-Identifier: GPL-2.0
#include "compat/recordings/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROOM (256U << 10)	/* fits into the second cache of small CPUs */

int bytes_open(struct bytes *b, const char *path, const volatile sig_atomic_t *stop,
	       struct error *err)
{
	struct stat st;

	*b = (struct bytes){ .fd = -1, .stop = stop, .room = ROOM };
	b->path = strdup(strcmp(path, "-") ? path : "standard input");
	b->buffer = malloc(ROOM);
	if (!b->path || !b->buffer)
		return fail(err, "out of memory");
	b->fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) :
		fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
	if (b->fd < 0 || fstat(b->fd, &st))
		return fail_with(err, errno, "can't read %s: %m", b->path);
	/* A shell may have read the beginning of standard input. */
	b->file = S_ISREG(st.st_mode) && !lseek(b->fd, 0, SEEK_CUR);
	b->size = b->file ? (uint64_t)st.st_size : 0;
	return 0;
}

void bytes_close(struct bytes *b)
{
	if (b->path && b->fd >= 0)
		close(b->fd);
	free(b->path);
	free(b->buffer);
	*b = (struct bytes){ };
}

/* Makes room for n bytes from `from` on. */
static int make_room(struct bytes *b, size_t n, struct error *err)
{
	uint8_t *larger;

	memmove(b->buffer, b->buffer + b->from, b->to - b->from);
	b->to -= b->from;
	b->from = 0;
	if (n <= b->room)
		return 0;
	larger = realloc(b->buffer, n);
	if (!larger)
		return fail(err, "out of memory: %s has a record of %zu bytes", b->path, n);
	b->buffer = larger;
	b->room = n;
	return 0;
}

static ssize_t read_more(struct bytes *b)
{
	uint8_t *to = b->buffer + b->to;
	const size_t n = b->room - b->to;

	return b->file ? pread(b->fd, to, n, (off_t)(b->offset + (b->to - b->from))) :
	       read(b->fd, to, n);
}

int bytes_fill(struct bytes *b, size_t n, struct error *err)
{
	ssize_t got = 1;

	if (make_room(b, n, err))
		return -1;
	while (b->to - b->from < n && got && !(b->stop && *b->stop)) {
		got = read_more(b);
		if (got < 0 && errno != EINTR)
			return fail_with(err, errno, "can't read %s: %m", b->path);
		b->to += got > 0 ? (size_t)got : 0;
	}
	return b->to - b->from >= n;
}

int bytes_skip(struct bytes *b, uint64_t n, struct error *err)
{
	uint8_t *bytes;
	int result = 1;

	for (uint64_t part; n && result > 0; n -= part) {
		part = n < b->room ? n : b->room;
		result = bytes_take(b, part, &bytes, err);
	}
	return result;
}

void bytes_seek(struct bytes *b, uint64_t offset)
{
	b->offset = offset;
	b->from = b->to = 0;
}

ssize_t bytes_read(const struct bytes *b, uint64_t offset, uint8_t *to, size_t n,
		   struct error *err)
{
	size_t have = 0;
	ssize_t got = 1;

	while (have < n && got) {
		got = pread(b->fd, to + have, n - have, (off_t)(offset + have));
		if (got < 0 && errno != EINTR)
			return fail_with(err, errno, "can't read %s: %m", b->path);
		have += got > 0 ? (size_t)got : 0;
	}
	return (ssize_t)have;
}

uint8_t *bytes_at(struct bytes *b, uint64_t offset, uint64_t n, size_t most, struct error *err)
{
	uint8_t *to;
	ssize_t got;

	if (offset > b->size || n > b->size - offset || n > most) {
		fail(err, "%s is no whole recording: it tells of %llu bytes at %llu, and has %llu",
		     b->path, (unsigned long long)n, (unsigned long long)offset,
		     (unsigned long long)b->size);
		return NULL;
	}
	to = malloc(n + 1);
	if (!to)
		fail(err, "out of memory");
	got = to ? bytes_read(b, offset, to, n, err) : -1;
	if (got >= 0 && (uint64_t)got < n)
		got = fail(err, "%s was cut while sonde read it", b->path);
	if (got < 0) {
		free(to);
		return NULL;
	}
	to[n] = '\0';
	return to;
}
