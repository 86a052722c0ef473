// SPDX-License-Identifier: GPL-2.0
/*
 * init=/sonde-init. Process 1 forks the recorder, waits until it records, and executes the real
 * init. It changes nothing that init would see: the recorder has mounts of its own.
 */
#include "src/commands/boot/boot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include "compat/base/clock.h"
#include "compat/base/file.h"
#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "src/commands/boot/boot_keep.h"
#include "src/commands/boot/boot_line.h"
#include "src/commands/boot/boot_room.h"
#include "src/commands/record/record.h"
#include "src/commands/record/record_boot.h"
#include "src/lib/output/sink.h"

#define FILE_IN_ROOM "/boot.perf"
#define WAIT_MS 30000		/* for the recorder; emulated machines take a second */
#define LINE_MOST 16384
#define OWN_WORDS 8		/* of `record`, at most */

/* ---- the recorder ---- */

/* `events` becomes the value of -e: those that this kernel has; empty: there are none. */
static void list_chart_events(struct strbuf *events)
{
	static const char *const folders[] = { "tracing", "debug/tracing" };

	for (const char *const *name = record_chart_events; *name; name++)
		for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
			const int system = (int)strcspn(*name, ":");
			char path[120];

			text_all(path, sizeof(path), "/sys/kernel/%s/events/%.*s/%s", folders[i],
				 system, *name, *name + system + 1);
			if (access(path, F_OK))
				continue;
			strbuf_between(events, ",");
			strbuf_addf(events, "%s", *name);
			break;
		}
}

/* Until all is on, messages go to process 1, which shows them; then to the kernel's log. */
struct recorder_end {
	int to;				/* the pipe; -1: process 1 executes init */
	int log;			/* -1: there is none */
};

static void begun(void *arg)
{
	struct recorder_end *e = arg;

	/* An error: process 1 does not wait any more. */
	if (write(e->to, "", 1) != 1)
		errno = 0;
	dup2(e->log >= 0 ? e->log : STDIN_FILENO, STDERR_FILENO);
	close(e->to);
	e->to = -1;
}

static unsigned int count_words(char *const *words)
{
	unsigned int n = 0;

	while (words && words[n])
		n++;
	return n;
}

static int record(const struct boot_line *l, struct recorder_end *e)
{
	const unsigned int n_record = count_words(l->record);
	char **words = calloc(n_record + OWN_WORDS, sizeof(*words));
	struct strbuf events = { };
	unsigned int n = 0;
	int status;

	if (!words)
		return 1;
	words[n++] = (char *)"record";
	words[n++] = (char *)"-d";
	words[n++] = l->duration;
	words[n++] = (char *)"-o";
	words[n++] = (char *)FILE_IN_ROOM;
	if (!l->record)
		list_chart_events(&events);
	if (events.n) {
		words[n++] = (char *)"-e";
		words[n++] = events.s;
	}
	for (unsigned int i = 0; i < n_record; i++)
		words[n++] = l->record[i];
	status = record_and_tell((int)n, words, begun, e);
	free(events.s);
	free(words);
	return status;
}

static int read_line(struct boot_line *l, struct error *err)
{
	char *text = file_text("/proc/cmdline", LINE_MOST, NULL);
	const int result = text ? boot_line_read(l, text, err) :
			   fail_with(err, errno, "can't read /proc/cmdline: %m");

	free(text);
	return result;
}

static bool kept(void *arg, int fd)
{
	return fd == *(int *)arg;
}

static struct recorder_end use_pipe(int to)
{
	struct recorder_end e = { to, -1 };

	file_close_all(kept, &to);
	dup2(to, STDERR_FILENO);
	e.log = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);
	return e;
}

static bool in_memory(void)
{
	struct statfs s;

	return !statfs("/", &s) && ((uint32_t)s.f_type == RAMFS_MAGIC || s.f_type == TMPFS_MAGIC);
}

static int tell(int to, const struct boot_line *l, const struct error *err)
{
	const char *init = l->init ? l->init : "";

	if (write(to, init, strlen(init) + 1) < 0)
		return -1;
	for (unsigned int i = 0; i < l->mistakes.n; i++)
		dprintf(to, "sonde-init: %s\n", l->mistakes.list[i]);
	if (*err->text)
		dprintf(to, "sonde-init: %s\n", err->text);
	return *err->text ? -1 : 0;
}

/*
 * The child. The first letter of its name is a sign to systemd: in an initramfs it kills all others
 * before it goes to the real root.
 */
static int run_recorder(int to, char **argv)
{
	const bool initramfs = in_memory();
	struct boot_line line = { };
	struct error err = { };
	int status = 1;

	/* Process 1 may have gone on without waiting. */
	signal(SIGPIPE, SIG_IGN);
	setsid();
	if (initramfs)
		argv[0][0] = '@';
	if (!boot_room(&err))
		read_line(&line, &err);
	if (!tell(to, &line, &err)) {
		struct recorder_end e = use_pipe(to);

		status = record(&line, &e);
		/* If it did not begin, process 1 waits. */
		if (e.to < 0)
			status |= boot_keep(FILE_IN_ROOM, line.output);
	}
	boot_line_free(&line);
	return status;
}

/* ---- process 1 ---- */

/*
 * What the recorder says: the path of init, then messages, a line each. A byte 0 ends either.
 * Returns false if it ended before, or after a time.
 */
static bool read_said(int from, char *said, size_t size, size_t *n)
{
	const int64_t until = monotonic_ms() + WAIT_MS;
	struct pollfd p = { .fd = from, .events = POLLIN };

	for (*n = 0; *n < size;) {
		const int64_t left = until - monotonic_ms();
		ssize_t got;

		if (left <= 0 || poll(&p, 1, (int)left) <= 0)
			return false;
		got = read(from, said + *n, size - *n);
		if (got <= 0)
			return false;
		*n += (size_t)got;
		if (said[*n - 1] == '\0' && memchr(said, '\0', *n - 1))
			return true;
	}
	return false;
}

static void wait_for_recorder(int from, char *init, size_t size)
{
	char said[8192];
	size_t n, path;
	const bool records = read_said(from, said, sizeof(said) - 1, &n);

	said[n] = '\0';
	path = strlen(said);
	text_all(init, size, "%s", said);
	if (n > path + 1)
		fputs(said + path + 1, sink_err());
	if (!records)
		fputs("sonde-init: the recorder ended, or took more than 30 s: the boot goes on\n",
		      sink_err());
}

static void record_beside(char **argv, char *init, size_t size)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC)) {
		fprintf(sink_err(), "sonde-init: nothing is recorded: can't make a pipe: %s\n",
			strerror(errno));
		return;
	}
	pid = fork();
	if (!pid) {
		close(ends[0]);
		_exit(sink_end(run_recorder(ends[1], argv)));
	}
	close(ends[1]);
	if (pid < 0)
		fprintf(sink_err(), "sonde-init: nothing is recorded: can't fork: %s\n",
			strerror(errno));
	else
		wait_for_recorder(ends[0], init, size);
	close(ends[0]);
}

/* A link that leads back here would execute itself for ever. */
static bool is_this(const char *path, const char *own)
{
	struct stat a, b;

	return !stat(path, &a) && !stat(own, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static void execute(const char *path, const char *own, char **argv)
{
	if (is_this(path, own))
		return;
	argv[0] = (char *)path;
	execve(path, argv, environ);
	if (errno != ENOENT)
		fprintf(sink_err(), "sonde-init: can't execute %s: %s\n", path, strerror(errno));
}

/* In the kernel's order: of an initramfs its own, then those of a root. */
static void execute_init(const char *init, const char *own, char **argv)
{
	static const char *const usual[] = { "/sbin/init", "/etc/init", "/bin/init", "/bin/sh" };

	if (*init)
		execute(init, own, argv);
	if (in_memory())
		execute("/init", own, argv);
	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
		execute(usual[i], own, argv);
	fputs("sonde-init: there is no init: give sonde.init=PATH on the kernel's command line\n",
	      sink_err());
}

int boot_main(int argc, char **argv)
{
	char init[4096] = "", own[4096];

	(void)argc;
	if (getpid() != 1) {
		fputs("sonde-init: it is for the kernel's command line, init=/sonde-init: "
		      "sonde-boot(7)\n", sink_err());
		return 2;
	}
	text_all(own, sizeof(own), "%s", argv[0]);
	record_beside(argv, init, sizeof(init));
	execute_init(init, own, argv);
	return 1;
}
