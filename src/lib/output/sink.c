// SPDX-License-Identifier: GPL-2.0
#include "src/lib/output/sink.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/escape.h"
#include "compat/base/file.h"
#include "compat/base/text.h"

#define HURRY_MS 250
#define PATIENCE_MS 1000	/* for a reader, once sonde is asked to end */

/* What signal handlers need. */
static volatile sig_atomic_t asked;	/* to end */
static volatile sig_atomic_t asked_ms;	/* when, the low bits */
static volatile sig_atomic_t hurried;

struct sink {
	FILE *file;
	int fd;
	bool raw;
	const char *path;		/* of sink_file() */
	/* errno of the first write that failed; nothing is written after it */
	int error;
	uint64_t unwritten;		/* lines from there on */
	size_t held;			/* bytes of a character whose others have not come yet */
	char hold[4];
	size_t used;
	char *escaped;			/* ESCAPED bytes */
};

#define ESCAPED 4096

/* Apart from the sinks, whose first values are in the binary: this is not. */
static char escaped[3][ESCAPED];
static struct sink sinks[] = {
	{ .fd = STDOUT_FILENO, .escaped = escaped[0] },
	{ .fd = STDERR_FILENO, .escaped = escaped[1] },
	{ .fd = STDOUT_FILENO, .escaped = escaped[2], .raw = true },
	{ .raw = true }, { .raw = true }, { .raw = true },
};
#define SINK_FILES (&sinks[3])		/* of options, up to the end */
#define SINKS (sizeof(sinks) / sizeof(sinks[0]))

void sink_hurry(void)
{
	sig_atomic_t now = (sig_atomic_t)(monotonic_ms() % 1000000000);

	if (!asked)
		asked_ms = now;
	else if (now < asked_ms || now - asked_ms >= HURRY_MS)
		hurried = 1;
	asked = 1;
}

int sink_rows_error(void)
{
	return sinks[2].error;
}

const char *sink_error(int error)
{
	static char text[96];
	uint64_t lines = 0;

	if (error != ECANCELED)
		return strerror(error);
	for (size_t i = 0; i < SINKS; i++)
		if (sinks[i].fd != STDERR_FILENO)
			lines += sinks[i].unwritten;
	snprintf(text, sizeof(text), "its reader does not read: the last %llu lines or more are "
		 "missing", (unsigned long long)lines);
	return text;
}

/*
 * False once it is not to be waited for any more. No signal comes unseen between the question and
 * the wait.
 */
static bool wait_for_room(int fd)
{
	struct pollfd polled = { .fd = fd, .events = POLLOUT };
	const struct timespec patience = { .tv_sec = PATIENCE_MS / 1000 };
	sigset_t all, before;
	int ready;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	do
		ready = ppoll(&polled, 1, hurried ? &(struct timespec){ } :
			      asked ? &patience : NULL, &before);
	while (ready < 0 && !hurried);
	if (ready < 0)
		ready = poll(&polled, 1, 0);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return ready > 0;
}

static void count_unwritten(struct sink *s, const char *bytes, size_t n)
{
	const char *end = bytes + n;

	while ((bytes = memchr(bytes, '\n', (size_t)(end - bytes)))) {
		s->unwritten++;
		bytes++;
	}
}

/*
 * A write that blocks when the first signal comes returns by it; from then on nothing is written
 * that may block: a pipe that has room takes as much as this.
 */
static void write_all(struct sink *s, const char *bytes, size_t n)
{
	while (n && !s->error) {
		ssize_t done;

		if (asked && !wait_for_room(s->fd)) {
			s->error = ECANCELED;
			break;
		}
		done = write(s->fd, bytes, asked && n > PIPE_BUF ? PIPE_BUF : n);
		if (done >= 0) {
			bytes += done;
			n -= (size_t)done;
		} else if (errno == EAGAIN) {
			if (!wait_for_room(s->fd))
				s->error = ECANCELED;
		} else if (errno != EINTR) {
			s->error = errno;
		}
	}
	count_unwritten(s, bytes, n);
	if (s->error && s->path)
		fprintf(sink_err(), "sonde: can't write all into '%s': %s; it needs a disk with "
			"room, or a reader that stays\n", s->path, sink_error(s->error));
}

static void put_escaped(void *arg, const char *bytes, size_t n)
{
	struct sink *s = arg;

	if (n > ESCAPED - s->used) {
		write_all(s, s->escaped, s->used);
		s->used = 0;
	}
	if (n > ESCAPED) {
		write_all(s, bytes, n);
		return;
	}
	memcpy(s->escaped + s->used, bytes, n);
	s->used += n;
}

/* How many bytes at the end are the beginning of a character that may go on. */
static size_t unfinished(const char *bytes, size_t n)
{
	for (size_t back = 1; back < 4 && back <= n; back++) {
		unsigned char c = (unsigned char)bytes[n - back];

		if ((c & 0xc0) == 0x80)
			continue;
		return c >= 0xc2 && c < 0xf5 && back < (c < 0xe0 ? 2u : c < 0xf0 ? 3u : 4u) ? back :
			0;
	}
	return 0;
}

/* Only what is whole: a character may come in parts. */
static void escape_lines(struct sink *s, const char *bytes, size_t n)
{
	while (n) {
		size_t plain = 0;

		while (plain < n && bytes[plain] != '\n' && bytes[plain] != '\t')
			plain++;
		escape(ESCAPE_QUOTED, bytes, plain, false, put_escaped, s);
		if (plain < n)
			put_escaped(s, bytes + plain++, 1);
		bytes += plain;
		n -= plain;
	}
}

static void write_text(struct sink *s, const char *bytes, size_t n)
{
	size_t keep;

	/* The rest of what was held, byte by byte: few. */
	while (s->held && n) {
		s->hold[s->held++] = *bytes++;
		n--;
		if (unfinished(s->hold, s->held) == s->held && s->held < sizeof(s->hold))
			continue;
		escape_lines(s, s->hold, s->held);
		s->held = 0;
	}
	keep = s->held ? 0 : unfinished(bytes, n);
	escape_lines(s, bytes, n - keep);
	if (keep)
		memcpy(s->hold, bytes + n - keep, keep);
	s->held += keep;
	write_all(s, s->escaped, s->used);
	s->used = 0;
}

/* Of a cookie's stream: 0 is an error, and errno stays. */
static ssize_t sink_write(void *cookie, const char *bytes, size_t n)
{
	struct sink *s = cookie;

	if (s->error)
		count_unwritten(s, bytes, n);
	else
		(s->raw ? write_all : write_text)(s, bytes, n);
	errno = s->error;
	return s->error ? 0 : (ssize_t)n;
}

static FILE *sink(struct sink *s)
{
	if (!s->file) {
		s->file = fopencookie(s, "w", (cookie_io_functions_t){ .write = sink_write });
		if (!s->file)
			_exit(1);		/* no memory to say so */
		if (s->fd == STDERR_FILENO)
			setvbuf(s->file, NULL, _IOLBF, 0);
		else if (s->raw)
			/* struct output has its own buffer */
			setvbuf(s->file, NULL, _IONBF, 0);
	}
	return s->file;
}

FILE *sink_out(void)
{
	return sink(&sinks[0]);
}

FILE *sink_err(void)
{
	return sink(&sinks[1]);
}

FILE *sink_rows(void)
{
	return sink(&sinks[2]);
}

void sink_begin(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		/* Not to be read, not to be written: who tries is told. */
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_RDONLY : O_WRONLY) < 0)
			break;
}

void sink_complain(const char *who, const struct error *err)
{
	fprintf(sink_err(), "%s%s\n", who, err->text);
	if (err->number == EMFILE)
		fputs("raise the limit of open files (ulimit -n)\n", sink_err());
}

static int create(const char *who, const char *path, struct error *err)
{
	const int fd = file_create(path);

	return fd < 0 ? fail_with(err, -fd, "%s: can't write into '%s': %s", who, path,
				  fd == -ELOOP ? FILE_FOREIGN_LINK : strerror(-fd)) : fd;
}

int sink_into(const char *who, const char *path, struct error *err)
{
	const int fd = create(who, path, err);

	if (fd < 0)
		return -1;
	sinks[0].fd = sinks[2].fd = fd;
	return 0;
}

FILE *sink_file(const char *option, const char *path, struct error *err)
{
	struct sink *s = SINK_FILES;
	char who[32];

	while (s->file)
		s++;
	assert(s < sinks + SINKS);
	text_cut(who, sizeof(who), "--%s", option);
	s->fd = create(who, path, err);
	s->path = path;
	return s->fd < 0 ? NULL : sink(s);
}

static void finish(struct sink *s)
{
	if (!s->file)
		return;
	fflush(s->file);
	if (s->held && !s->error) {
		escape_lines(s, s->hold, s->held);
		s->held = 0;
		write_all(s, s->escaped, s->used);
		s->used = 0;
	}
}

int sink_end(int status)
{
	struct sink *out = &sinks[0];

	finish(out);
	finish(&sinks[2]);
	/* That nobody reads is no error; of rows the session has said it. */
	if (out->error && out->error != EPIPE) {
		fprintf(sink_err(), "sonde: can't write the output: %s\n",
			sink_error(out->error));
		status = status ? status : 1;
	}
	finish(&sinks[1]);
	for (const struct sink *s = SINK_FILES; s < sinks + SINKS && !status; s++)
		status = s->error ? 1 : 0;
	return status;
}
