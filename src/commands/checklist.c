// SPDX-License-Identifier: GPL-2.0
/*
 * `sonde checklist`: tools to begin with on a machine one does not know, at the same time, each
 * with the beginning of what it shows, how to read it, and what to run next.
 */
#include "src/commands/checklist.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/escape.h"
#include "compat/base/file.h"
#include "compat/base/text.h"
#include "compat/kernel/kernel.h"
#include "compat/probing/running.h"
#include "src/commands/checklist_forms.h"
#include "src/commands/checklist_most.h"
#include "src/commands/checklist_wait.h"
#include "src/commands/commands.h"
#include "src/lib/output/sink.h"
#include "src/run/stop.h"
#include "src/toolkit/process.h"

#define SECONDS		30
#define SECONDS_MOST	3600
#define READY_MS	10000		/* a slow machine attaches for seconds */
#define ATTACH_MS	120000		/* one that is busy for more */
#define END_MS		60000		/* and detaches for more */
#define KEPT		(64 << 10)	/* of what a tool writes */

#define WORDS 12

struct tour {
	const struct checklist *list;
	struct process processes[CHECKS_MOST];
	struct most most[CHECKS_MOST];
	/* what a tool waited for that did not trace in time; "": it traced, or ended by itself */
	char waited[CHECKS_MOST][WAIT_TEXT];
	unsigned int seconds;
	const char *without;		/* for the tools; NULL */
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
	int n = 2;

	if (t->without) {
		argv[n++] = "--without";
		argv[n++] = (char *)t->without;
	}
	if (c->by)
		argv[n++] = "--csv";
	options_of(t, c, options, sizeof(options));
	while (n < WORDS && (argv[n] = strsep(&rest, " ")))
		n++;
	file_link(AT_FDCWD, "/proc/self/exe", path, sizeof(path));
	process_run_self(path, argv, out, err);
}

static int start(struct tour *t, bool last)
{
	for (unsigned int i = 0; i < CHECKS_MOST; i++) {
		const struct check *c = &t->list->checks[i];
		struct process *p = &t->processes[i];
		int out, err, result;

		if (c->last != last)
			continue;
		result = process_fork(p, SIGTERM, &out, &err);
		if (result < 0)
			return -1;
		if (!result)
			run_check(t, c, out, err);
		p->texts[0].most = p->texts[1].most = KEPT;
		t->most[i] = (struct most){ .by = c->by, .order = c->order };
		p->texts[0].take = c->by ? most_take : NULL;
		p->texts[0].arg = &t->most[i];
	}
	return 0;
}

static bool ended(const struct process *p)
{
	return p->fds[0] < 0 && p->fds[1] < 0;
}

/* A tool writes its heads when it traces. */
static bool traces(const struct process *p)
{
	return p->texts[0].lines || p->texts[0].n;
}

static bool all_trace(const struct tour *t, bool last)
{
	for (unsigned int i = 0; i < CHECKS_MOST; i++) {
		const struct process *p = &t->processes[i];

		if (t->list->checks[i].last <= last && !traces(p) && !ended(p))
			return false;
	}
	return true;
}

static bool first_ones_trace(void *arg)
{
	return all_trace(arg, false);
}

static bool they_trace(void *arg)
{
	return all_trace(arg, true);
}

static bool some_trace(const struct tour *t)
{
	for (unsigned int i = 0; i < CHECKS_MOST; i++)
		if (traces(&t->processes[i]))
			return true;
	return false;
}

static bool all_ended(void *arg)
{
	const struct tour *t = arg;

	for (unsigned int i = 0; i < CHECKS_MOST; i++)
		if (!ended(&t->processes[i]))
			return false;
	return true;
}

static bool read_until(struct tour *t, bool (*until)(void *arg), const volatile sig_atomic_t *stop,
		       int ms)
{
	const struct process_until u = { .until = until, .arg = t, .stop = stop, .ms = ms };

	return processes_read(t->processes, CHECKS_MOST, &u);
}

/* Asked to end, they show what they have; those that do not trace yet have nothing. */
static void end(struct tour *t, int64_t began)
{
	static const volatile sig_atomic_t never;

	for (unsigned int i = 0; i < CHECKS_MOST; i++) {
		const struct process *p = &t->processes[i];

		if (p->pid <= 0 || ended(p))
			continue;
		if (!traces(p))
			wait_words(p->pid, monotonic_ms() - began, t->waited[i]);
		kill(p->pid, SIGINT);
	}
	read_until(t, all_ended, &never, END_MS);
	for (unsigned int i = 0; i < CHECKS_MOST; i++) {
		struct process *p = &t->processes[i];

		if (!ended(p) || !process_wait(p, END_MS))
			process_kill(p);
	}
}

/* One that had to be killed has shown something before. */
static bool served(const struct tour *t, unsigned int i)
{
	const struct process *p = &t->processes[i];

	if (*t->waited[i])
		return false;
	return WIFEXITED(p->status) ? !WEXITSTATUS(p->status) : traces(p);
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

	while (lines && (!strncmp(at, "Tracing", 7) || *at == '\n')) {
		at = strchr(at, '\n') + 1;
		lines--;
	}
	if (lines <= (c->heads ? c->heads : 1))
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

static void print_check(struct tour *t, unsigned int i)
{
	const struct check *c = &t->list->checks[i];
	const struct process *p = &t->processes[i];
	char options[64];

	options_of(t, c, options, sizeof(options));
	fprintf(sink_out(), "\n== %s: %s\n# sonde %s %s\n", c->tool, c->what, c->tool, options);
	if (!(c->by ? most_print(&t->most[i], sink_out(), c->lines) :
	      print_excerpt(c, &p->texts[0])))
		fputs("(nothing, in this time)\n", sink_out());
	if (WIFSIGNALED(p->status))
		fprintf(sink_out(), "(it was asked to end, and had not ended %d s later: more may "
			"be missing)\n", END_MS / 1000);
	/* Losses and the like: what is shown is to be trusted no further than they say. */
	if (p->texts[1].n)
		fputs(p->texts[1].s, sink_out());
	fprintf(sink_out(), "read: %s\nnext: %s\n", c->read, c->next);
}

static void why_not(const struct tour *t, unsigned int i, char *why, size_t size)
{
	boil_down(t->processes[i].texts[1].s, why, size);
	if (*t->waited[i])
		text_cut(why, size, "%s", t->waited[i]);
	else if (!*why)
		snprintf(why, size, "it ended without a message");
}

/* Tools that can't run here, or do not trace yet: behind each reason those that share it. */
static void print_absent(const struct tour *t)
{
	bool told[CHECKS_MOST] = { false };
	char why[900], other[900];

	fputs("\n== not shown\n", sink_out());
	for (unsigned int i = 0; i < CHECKS_MOST; i++) {
		if (served(t, i) || told[i])
			continue;
		why_not(t, i, why, sizeof(why));
		fprintf(sink_out(), "%s:\n ", why);
		for (unsigned int j = i; j < CHECKS_MOST; j++) {
			if (served(t, j))
				continue;
			why_not(t, j, other, sizeof(other));
			told[j] |= !strcmp(why, other);
			if (!strcmp(why, other))
				fprintf(sink_out(), " %s", t->list->checks[j].tool);
		}
		fputc('\n', sink_out());
	}
}

static bool waited_for(const struct tour *t)
{
	for (unsigned int i = 0; i < CHECKS_MOST; i++)
		if (*t->waited[i])
			return true;
	return false;
}

/* None can run: why is said once, if all say the same. */
static int print_none(const struct tour *t)
{
	char why[900], first[900];
	bool same = true;

	why_not(t, 0, first, sizeof(first));
	for (unsigned int i = 1; i < CHECKS_MOST; i++) {
		why_not(t, i, why, sizeof(why));
		same &= !strcmp(why, first);
	}
	if (!same)
		print_absent(t);
	fflush(sink_out());
	fprintf(sink_err(), "sonde: checklist: none of its tools %s%s%s\n%s\n",
		waited_for(t) ? "has anything to show" : "can run here",
		same ? ": " : "",
		same ? first : "",
		geteuid() ? "run it as root" : "`sonde features` shows this kernel's features");
	return 1;
}

static int print_all(struct tour *t)
{
	unsigned int absent = 0;

	for (unsigned int i = 0; i < CHECKS_MOST; i++)
		absent += !served(t, i);
	if (absent == CHECKS_MOST)
		return print_none(t);
	for (unsigned int i = 0; i < CHECKS_MOST; i++)
		if (served(t, i))
			print_check(t, i);
	if (absent)
		print_absent(t);
	return 0;
}

static void print_head(const struct tour *t)
{
	struct utsname u;

	uname(&u);
	fprintf(sink_out(),
		"checklist %s: %u tools at once, for %u s, on %s: Linux %s %s, %ld CPUs\n",
		t->list->name, CHECKS_MOST, t->seconds, u.nodename, u.release, u.machine,
		sysconf(_SC_NPROCESSORS_ONLN));
	fflush(sink_out());
	if (isatty(STDERR_FILENO))
		fputs("Ctrl-C shows the results so far.\n", sink_err());
}

static int tour(struct tour *t)
{
	const int64_t began = monotonic_ms();
	int status;

	print_head(t);
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
	else if (read_until(t, they_trace, &stop_signal, ATTACH_MS) || some_trace(t))
		read_until(t, all_ended, &stop_signal, (int)t->seconds * 1000 + END_MS);
	end(t, began);
	/* A second Ctrl-C ends the printing as well. */
	signal(SIGINT, SIG_DFL);
	if (!status)
		status = print_all(t);
	for (unsigned int i = 0; i < CHECKS_MOST; i++) {
		process_free(&t->processes[i]);
		most_free(&t->most[i]);
	}
	return status ? 1 : 0;
}

static int help(void)
{
	fputs("checklist: a first look at a machine: ten tools at once, how to read them, and the "
	      "next tools\n"
	      "Usage: sonde checklist [general|disk|network] [SECONDS] [--without FEATURE,...]\n\n",
	      sink_out());
	for (const struct checklist *l = checklists; l->name; l++) {
		fprintf(sink_out(), "%-9s", l->name);
		for (unsigned int i = 0; i < CHECKS_MOST; i++)
			fprintf(sink_out(), " %s", l->checks[i].tool);
		fputc('\n', sink_out());
	}
	fputs("\nWithout one of these words it is the first.\n"
	      "Shows the top rows of each tool, and last the tools that can't run here, with the "
	      "reason.\n"
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
	fputs("sonde: checklist: it takes general, disk or network, and a number of seconds from 1 "
	      "to 3600, not \"", sink_err());
	escape_text(sink_err(), word, strlen(word));
	fputs("\"\n`sonde help checklist` lists its options\n", sink_err());
	return 2;
}

/* Takes the word if it is the first that names a checklist. */
static bool take_name(struct tour *t, const char *word)
{
	if (t->list)
		return false;
	for (const struct checklist *l = checklists; l->name; l++)
		if (!strcmp(l->name, word)) {
			t->list = l;
			return true;
		}
	return false;
}

static bool take_seconds(struct tour *t, const char *word)
{
	char *rest;

	if (t->seconds || *word < '1' || *word > '9' || strlen(word) > 4)
		return false;
	t->seconds = (unsigned int)strtoul(word, &rest, 10);
	return !*rest && t->seconds <= SECONDS_MOST;
}

int checklist_main(int argc, char **argv)
{
	struct tour t = { };

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
			return help();
		if (!strcmp(argv[i], "--without") && argv[i + 1]) {
			t.without = argv[++i];
			continue;
		}
		if (!take_name(&t, argv[i]) && !take_seconds(&t, argv[i]))
			return misused(argv[i]);
	}
	if (!t.list)
		t.list = checklists;
	if (!t.seconds)
		t.seconds = SECONDS;
	return t.without && is_wrong(t.without) ? 2 : tour(&t);
}
