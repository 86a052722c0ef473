// SPDX-License-Identifier: GPL-2.0
/*
 * `sonde checklist`: the ten tools to begin with on a machine one does not know, at the same time,
 * each with the beginning of what it shows, how to read it, and what to run next.
 */
#include "src/commands/checklist.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compat/base/escape.h"
#include "compat/kernel/kernel.h"
#include "compat/probing/running.h"
#include "src/commands/commands.h"
#include "src/lib/output/sink.h"
#include "src/stop.h"
#include "src/toolkit/process.h"

#define SECONDS		30
#define SECONDS_MOST	3600
#define READY_MS	10000		/* a slow machine attaches for seconds */
#define END_MS		60000		/* and detaches for more */
#define KEPT		(64 << 10)	/* of what a tool writes */

/* %s: the seconds; %p: a part of them, for tools that print several times; %n: how many parts. */
static const struct check {
	const char *tool, *options, *what;
	unsigned int lines;		/* of its output */
	const char *read, *next;
	/* would show how the others start: started when they trace */
	bool last;
} checks[] = {
	{ "execsnoop", "--max-args 8 --duration %s", "programs that are executed", 10,
	  "top shows no short-lived processes; many a second cost more than their work. RET below "
	  "0: it failed.",
	  "exitsnoop: how long they lived, and how they ended", true },
	{ "opensnoop", "--duration %s", "files that are opened", 10,
	  "ERR 2 again and again: a program searches for files that are not there. PATH: which "
	  "configuration is read.",
	  "statsnoop: stat() calls, as searches make them; opensnoop -x -p PID: failures of a "
	  "process",
	  true },
	{ "fileslower", "10 --duration %s", "reads and writes of files that take 10 ms or more", 10,
	  "What programs wait for: file system, locks and disk together. Nothing here: disks are "
	  "not the problem.",
	  "fsdist -t TYPE: all of them as a distribution; ext4slower: one file system" },
	{ "biolatency", "%s 1", "how long disks take", 24,
	  "One hill is one kind of I/O; two are hits and misses of the device's cache, or reads "
	  "and writes.",
	  "biolatency -D: by disk; --heatmap: over time; -Q: with the time in queues" },
	{ "biosnoop", "--duration %s", "each I/O of the disks", 10,
	  "Who does it, where, how much. Neighbouring sectors: sequential I/O. Runs of long LAT: "
	  "a queue.",
	  "biotop: sums by process; bitesize: sizes" },
	{ "cachestat", "%p %n", "hits and misses of the page cache", 7,
	  "MISSES are reads that go to disk. A ratio far below 100 % under load: memory is short, "
	  "or reads are random.",
	  "vfsstat: how many calls; fileslower: which programs wait" },
	{ "tcpconnect", "--duration %s", "TCP connections begun here", 10,
	  "Who connects where. Many connections to one place: a pool would save them.",
	  "tcpconnlat: how long each took; tcplife: bytes and duration" },
	{ "tcpaccept", "--duration %s", "TCP connections that come in", 10,
	  "Who is served, and by what. An unknown address or port is worth a question.",
	  "tcplife: bytes and duration; tcpstates: where they hang" },
	{ "tcpretrans", "--duration %s", "TCP segments sent again", 10,
	  "Each is a loss, on the way or in a full queue, and costs 200 ms or more. STATE "
	  "SYN_SENT: nobody answers.",
	  "tcpretrans -c: by flow; tcpconnlat: what it does to new connections" },
	{ "runqlat", "%s 1", "how long tasks wait for a CPU", 24,
	  "Above a few ms under load: too few CPUs, a cgroup's limit, or tasks tied to one CPU.",
	  "runqslower: which tasks; runqlen: how long the queues are; cpudist: how long tasks "
	  "run" },
};
#define CHECKS (sizeof(checks) / sizeof(checks[0]))
#define WORDS 12

struct tour {
	struct process processes[CHECKS];
	unsigned int seconds;
	const char *without;		/* for the tools; NULL */
	bool late;			/* which of them are looked at */
};

/* A check's words, with the seconds in their places. */
static void options_of(const struct tour *t, const struct check *c, char *to, size_t size)
{
	unsigned int part = t->seconds < 5 ? 1 : t->seconds / 5, value;
	size_t n = 0;

	for (const char *at = c->options; *at && n + 12 < size; at++) {
		if (*at != '%') {
			to[n++] = *at;
			continue;
		}
		at++;
		value = *at == 's' ? t->seconds : *at == 'p' ? part : t->seconds / part;
		n += (size_t)sprintf(to + n, "%u", value);
	}
	to[n] = '\0';
}

static void run_check(const struct tour *t, const struct check *c, int out,
		      int err) __attribute__((noreturn));
static void run_check(const struct tour *t, const struct check *c, int out, int err)
{
	char path[PATH_MAX], options[64], *argv[WORDS + 1] = { "sonde", (char *)c->tool },
		*rest = options;
	ssize_t length;
	int n = 2;

	if (t->without) {
		argv[n++] = "--without";
		argv[n++] = (char *)t->without;
	}
	options_of(t, c, options, sizeof(options));
	while (n < WORDS && (argv[n] = strsep(&rest, " ")))
		n++;
	length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	path[length > 0 ? length : 0] = '\0';
	process_run_self(path, argv, out, err);
}

static int start(struct tour *t, bool last)
{
	for (unsigned int i = 0; i < CHECKS; i++) {
		struct process *p = &t->processes[i];
		int out, err, result;

		if (checks[i].last != last)
			continue;
		result = process_fork(p, SIGTERM, &out, &err);
		if (result < 0)
			return -1;
		if (!result)
			run_check(t, &checks[i], out, err);
		p->texts[0].most = p->texts[1].most = KEPT;
	}
	return 0;
}

static bool ended(const struct process *p)
{
	return p->fds[0] < 0 && p->fds[1] < 0;
}

/* A tool writes its heads when it traces. */
static bool first_ones_trace(void *arg)
{
	const struct tour *t = arg;

	for (unsigned int i = 0; i < CHECKS; i++)
		if (!checks[i].last && !t->processes[i].texts[0].n && !ended(&t->processes[i]))
			return false;
	return true;
}

static bool all_ended(void *arg)
{
	const struct tour *t = arg;

	for (unsigned int i = 0; i < CHECKS; i++)
		if (!ended(&t->processes[i]))
			return false;
	return true;
}

static bool read_until(struct tour *t, bool (*until)(void *arg), const volatile sig_atomic_t *stop,
		       int ms)
{
	const struct process_until u = { .until = until, .arg = t, .stop = stop, .ms = ms };

	return processes_read(t->processes, CHECKS, &u);
}

/* Asked to end, they show what they have. */
static void end(struct tour *t)
{
	static const volatile sig_atomic_t never;

	for (unsigned int i = 0; i < CHECKS; i++)
		if (t->processes[i].pid > 0 && !ended(&t->processes[i]))
			kill(t->processes[i].pid, SIGINT);
	read_until(t, all_ended, &never, END_MS);
	for (unsigned int i = 0; i < CHECKS; i++) {
		struct process *p = &t->processes[i];

		if (!ended(p) || !process_wait(p, END_MS))
			process_kill(p);
	}
}

static bool served(const struct process *p)
{
	return WIFEXITED(p->status) && !WEXITSTATUS(p->status);
}

/*
 * The beginning of what a tool wrote, without the line that says that it traces; false: there is
 * none but heads.
 */
static bool print_excerpt(const struct check *c, const struct written *text)
{
	const char *at = text->s ? text->s : "";
	unsigned int shown = 0;
	unsigned long lines = text->lines;

	while (lines && (!strncmp(at, "Tracing ", 8) || *at == '\n')) {
		at = strchr(at, '\n') + 1;
		lines--;
	}
	if (lines < 2)
		return false;
	for (; shown < c->lines && shown < lines && *at; shown++) {
		size_t n = strcspn(at, "\n");

		fprintf(sink_out(), "%.*s\n", (int)n, at);
		at += n + (at[n] == '\n');
	}
	if (lines > shown)
		fprintf(sink_out(), "[... %lu more lines]\n", lines - shown);
	return true;
}

static void print_check(const struct tour *t, const struct check *c, const struct process *p)
{
	char options[64];

	options_of(t, c, options, sizeof(options));
	fprintf(sink_out(), "\n== %s: %s\n# sonde %s %s\n", c->tool, c->what, c->tool, options);
	if (!print_excerpt(c, &p->texts[0]))
		fputs("(nothing, in this time)\n", sink_out());
	/* Losses and the like: what is shown is to be trusted no further than they say. */
	if (p->texts[1].n)
		fputs(p->texts[1].s, sink_out());
	fprintf(sink_out(), "read: %s\nnext: %s\n", c->read, c->next);
}

static void why_not(const struct process *p, char *why, size_t size)
{
	boil_down(p->texts[1].s, why, size);
	if (!*why)
		snprintf(why, size, "it ended without a message");
}

/* Tools that can't run here, behind each reason those that share it. */
static void print_absent(const struct tour *t)
{
	bool told[CHECKS] = { false };
	char why[900], other[900];

	fputs("\n== can't run here\n", sink_out());
	for (unsigned int i = 0; i < CHECKS; i++) {
		if (served(&t->processes[i]) || told[i])
			continue;
		why_not(&t->processes[i], why, sizeof(why));
		fprintf(sink_out(), "%s:\n ", why);
		for (unsigned int j = i; j < CHECKS; j++) {
			if (served(&t->processes[j]))
				continue;
			why_not(&t->processes[j], other, sizeof(other));
			told[j] |= !strcmp(why, other);
			if (!strcmp(why, other))
				fprintf(sink_out(), " %s", checks[j].tool);
		}
		fputc('\n', sink_out());
	}
}

/* None can run: why is said once, if all say the same. */
static int print_none(const struct tour *t)
{
	char why[900], first[900];
	bool same = true;

	why_not(&t->processes[0], first, sizeof(first));
	for (unsigned int i = 1; i < CHECKS; i++) {
		why_not(&t->processes[i], why, sizeof(why));
		same &= !strcmp(why, first);
	}
	if (!same)
		print_absent(t);
	fflush(sink_out());
	fprintf(sink_err(), "sonde: checklist: none of its tools can run here%s%s\n%s\n",
		same ? ": " : "",
		same ? first : "",
		geteuid() ? "run it as root" : "`sonde features` shows what this kernel has");
	return 1;
}

static int print_all(const struct tour *t)
{
	unsigned int absent = 0;

	for (unsigned int i = 0; i < CHECKS; i++)
		absent += !served(&t->processes[i]);
	if (absent == CHECKS)
		return print_none(t);
	for (unsigned int i = 0; i < CHECKS; i++)
		if (served(&t->processes[i]))
			print_check(t, &checks[i], &t->processes[i]);
	if (absent)
		print_absent(t);
	return 0;
}

static void print_head(unsigned int seconds)
{
	struct utsname u;

	uname(&u);
	fprintf(sink_out(), "%zu tools at once, for %u s, on %s: Linux %s %s, %ld CPUs\n",
		CHECKS, seconds,
		u.nodename, u.release,
		u.machine, sysconf(_SC_NPROCESSORS_ONLN));
	fflush(sink_out());
	if (isatty(STDERR_FILENO))
		fputs("Ctrl-C shows what there is until then.\n", sink_err());
}

static int tour(struct tour *t)
{
	int status;

	print_head(t->seconds);
	stop_on_signals();
	status = start(t, false);
	if (!status)
		read_until(t, first_ones_trace, &stop_signal, READY_MS);
	if (!status && !stop_signal)
		status = start(t, true);
	if (status)
		fprintf(sink_err(),
			"sonde: checklist: can't start a tool: %s\nend some processes, or give "
			"this user more\n",
			strerror(errno));
	else
		read_until(t, all_ended, &stop_signal, (int)t->seconds * 1000 + END_MS);
	end(t);
	/* A second Ctrl-C ends the printing as well. */
	signal(SIGINT, SIG_DFL);
	if (!status)
		status = print_all(t);
	for (unsigned int i = 0; i < CHECKS; i++)
		process_free(&t->processes[i]);
	return status ? 1 : 0;
}

static int help(void)
{
	fputs("checklist: a first look at a machine: ten tools at once, how to read them, and what "
	      "to run next\n"
	      "Usage: sonde checklist [SECONDS] [--without FEATURE,...]\n\n"
	      "Shows the beginning of each tool's output, and last those that can't run here, with "
	      "the reason.\n"
	      "Takes 30 seconds unless told otherwise; Ctrl-C ends it earlier. Exit status 1: no "
	      "tool can run.\n", sink_out());
	return 0;
}

/* Said once, not by each tool. */
static bool is_wrong(const char *without)
{
	struct kernel *k = kernel_running();
	struct error err = { };
	bool wrong = k && kernel_without(k, without, &err);

	if (wrong)
		command_failed(&err);
	kernel_free(k);
	return wrong;
}

static int misused(const char *word)
{
	if (*word == '-')
		return no_such_option("checklist", word);
	fputs("sonde: checklist: it takes a number of seconds from 1 to 3600, not \"", sink_err());
	escape_text(sink_err(), word, strlen(word));
	fputs("\"\n`sonde help checklist` says what it takes\n", sink_err());
	return 2;
}

int checklist_main(int argc, char **argv)
{
	struct tour t = { .seconds = SECONDS };
	bool given = false;

	for (int i = 1; i < argc; i++) {
		char *rest = NULL;

		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
			return help();
		if (!strcmp(argv[i], "--without") && argv[i + 1]) {
			t.without = argv[++i];
			continue;
		}
		if (!given && argv[i][0] >= '1' && argv[i][0] <= '9')
			t.seconds = (unsigned int)strtoul(argv[i], &rest, 10);
		if (!rest || *rest || strlen(argv[i]) > 4 || t.seconds > SECONDS_MOST)
			return misused(argv[i]);
		given = true;
	}
	return t.without && is_wrong(t.without) ? 2 : tour(&t);
}
