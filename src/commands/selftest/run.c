// SPDX-License-Identifier: GPL-2.0
/*
 * A cell: for each part it starts the workload, which waits, then the tool; lets the workload go
 * on, ends the tool, and judges.
 */
#include "src/commands/selftest/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOISY_TRIES 3		/* of checks that other processes can disturb */
#define LOST_TRIES 2
#define ARGS_MOST 32

enum { TOOL, WORK, PROCESSES };

/* One part of a cell, while it runs. */
struct part_run {
	struct runner *runner;
	const struct selftest *test;
	const struct selftest_part *part;
	const char *backend;		/* NULL: the tool only lists */
	struct cell *cell;
	struct process processes[PROCESSES];
	int go;				/* what the workload waits on */
	int64_t kills;			/* kills() before it began */
};

/* ---- the workload ---- */

static void send_said(struct work *w, int fd, char **said, size_t *n)
{
	fflush(w->said.to);
	for (size_t at = 0; at < *n;) {
		ssize_t done = write(fd, *said + at, *n - at);

		if (done <= 0 && errno != EINTR)
			_exit(1);
		at += done > 0 ? (size_t)done : 0;
	}
	rewind(w->said.to);
}

/* {"ready":true}: the runner waits for it. */
static void say_passed(struct work *w, const char *what)
{
	jsonw_open(&w->said, NULL, '{');
	jsonw_bool(&w->said, what, true);
	jsonw_end(&w->said);
}

static void workload(const struct part_run *p, int out, int go) __attribute__((noreturn));
static void workload(const struct part_run *p, int out, int go)
{
	struct work w = { .folder = p->runner->folder, .name = p->runner->name,
			  .foreign = p->runner->foreign };
	char *said = NULL, word;
	size_t n = 0;

	signal(SIGPIPE, SIG_IGN);
	prctl(PR_SET_NAME, w.name);
	w.state = calloc(1, p->test->state_size + 1);
	w.said.to = open_memstream(&said, &n);
	if (!w.state || !w.said.to)
		_exit(1);
	say_integer(&w, "pid", getpid());
	say_text(&w, "name", w.name);
	if (!p->part->prepare || !p->part->prepare(&w))
		say_passed(&w, "ready");
	send_said(&w, out, &said, &n);
	if (read(go, &word, 1) != 1)
		_exit(0);
	/*
	 * Again: in a pid namespace of its own the rings' engines learn a name only when a task
	 * takes it.
	 */
	prctl(PR_SET_NAME, w.name);
	if (!p->part->work(&w))
		say_passed(&w, "done");
	send_said(&w, out, &said, &n);
	/* What it holds open stays until the runner has judged, and kills it and its children. */
	for (;;)
		pause();
}

/* How many processes the kernel has ended because it was out of memory; since 4.13 it counts. */
static int64_t kills(void)
{
	return vmstat_count("oom_kill");
}

static int start_workload(struct part_run *p)
{
	int go[2], out, result;

	if (pipe2(go, O_CLOEXEC))
		return -1;
	result = process_fork(&p->processes[WORK], SIGKILL, &out, NULL);
	if (!result) {
		close(go[1]);
		workload(p, out, go[0]);
	}
	close(go[0]);
	p->go = go[1];
	return result < 0 ? -1 : 0;
}

/* Has the workload said this, at the beginning of a line? */
static bool has_said(const struct part_run *p, const char *words)
{
	const char *text = p->processes[WORK].texts[0].s, *at = text;

	while (at && (at = strstr(at, words))) {
		if (at == text || at[-1] == '\n')
			return strchr(at, '\n') != NULL;
		at++;
	}
	return false;
}

static bool workload_at(void *arg, const char *words)
{
	const struct part_run *p = arg;

	return p->processes[WORK].fds[0] < 0 || has_said(p, "{\"not_here\":") || has_said(p, words);
}

static bool workload_ready(void *arg)
{
	return workload_at(arg, "{\"ready\":");
}

static bool workload_done(void *arg)
{
	return workload_at(arg, "{\"done\":");
}

static bool read_until(struct part_run *p, const volatile sig_atomic_t *stop,
		       bool (*until)(void *arg))
{
	const struct process_until u = { .until = until, .arg = p, .stop = stop, .ms = STEP_MS };

	return processes_read(p->processes, PROCESSES, &u);
}

/* Waits for the workload; 0, or -1 and a verdict. */
static int await_workload(struct part_run *p, bool (*until)(void *arg), const char *words)
{
	struct process *work = &p->processes[WORK];
	const char *line;
	struct json v, why;
	char text[512];

	read_until(p, p->runner->stop, until);
	if (has_said(p, words))
		return 0;
	line = work->texts[0].s ? strstr(work->texts[0].s, "{\"not_here\":") : NULL;
	if (line && json_read(line, strcspn(line, "\n"), &v) && json_member(v, "not_here", &why)) {
		json_text(why, text, sizeof(text));
		cell_verdict(p->cell, VERDICT_NOT_HERE, "%s", text);
	} else if (!*p->runner->stop) {
		if (work->fds[0] >= 0)
			cell_verdict(p->cell, VERDICT_NOT_HERE,
				     "the workload did not end within %d s", STEP_MS / 1000);
		else if (!process_wait(work, STEP_MS) ||
			 !cell_out_of_memory(p->cell, "workload", work->status,
					     kills() - p->kills))
			cell_verdict(p->cell, VERDICT_NOT_HERE, "the workload ended too early");
	}
	return -1;
}

/* ---- the tool ---- */

/* "%NAME" becomes what the workload said of NAME. */
static const char *option(const struct found *said, const char *given, char *to, size_t size)
{
	if (given[0] != '%')
		return given;
	return said_text(said, given + 1, to, size) ? to : "";
}

static void run_tool(const struct part_run *p, const struct found *said, int out, int err)
	__attribute__((noreturn));
static void run_tool(const struct part_run *p, const struct found *said, int out, int err)
{
	bool foreign = p->runner->foreign && p->part->foreign;
	const char *const *given = foreign ? p->part->foreign : p->part->options;
	const char *argv[ARGS_MOST + 1] = {
		"sonde", p->test->tool, "--json",
	};
	char values[ARGS_MOST][WORK_PATH + 256];	/* a script that names a file */
	int n = 3;

	if (!p->test->lists) {
		argv[n++] = "--verbose";
		argv[n++] = "--backend";
		argv[n++] = p->backend;
		for (char *const *a = p->runner->without; a && *a && n < ARGS_MOST; a++)
			argv[n++] = *a;
	}
	for (; given && *given && n < ARGS_MOST; given++, n++)
		argv[n] = option(said, *given, values[n], sizeof(values[n]));
	process_run_self(NULL, (char **)argv, out, err);
}

/* All objects of this member that the workload said. */
static struct json_rows pick(const struct json_rows *all, const char *member)
{
	struct json_rows list = { .rows = calloc(all->n + 1, sizeof(*list.rows)) };

	for (size_t i = 0; list.rows && i < all->n; i++)
		if (json_member(all->rows[i], member, &list.rows[list.n]))
			list.n++;
	return list;
}

/* Returns false after a verdict. */
static bool start_tool(struct part_run *p)
{
	const struct written *words = &p->processes[WORK].texts[0];
	struct json_rows all = { };
	struct found said = { .test = p->test, .cell = p->cell };
	int out, err, result = -1;

	if (split_rows(words->s, words->n, &all)) {
		said.says = pick(&all, "say");
		result = process_fork(&p->processes[TOOL], SIGTERM, &out, &err);
		if (!result)
			run_tool(p, &said, out, err);
	}
	if (result < 0)
		cell_verdict(p->cell, VERDICT_NOT_HERE, "can't make a process: %s",
			     strerror(errno));
	free(said.says.rows);
	free(all.rows);
	return result >= 0;
}

static bool tool_ended(void *arg)
{
	const struct part_run *p = arg;

	return p->processes[TOOL].fds[0] < 0 && p->processes[TOOL].fds[1] < 0;
}

static bool tool_traces(const struct part_run *p)
{
	const char *said = p->processes[TOOL].texts[1].s;

	return said && strstr(said, "\nsonde: tracing\n");
}

static bool tool_begins(void *arg)
{
	return tool_traces(arg) || tool_ended(arg);
}

/* Asks it to end, then kills it. True if it ended when asked. */
static bool end_tool(struct part_run *p)
{
	static const volatile sig_atomic_t never;
	struct process *tool = &p->processes[TOOL];

	if (tool->pid <= 0)
		return true;
	kill(tool->pid, SIGINT);
	/* It has ended, or was asked to: removing its probes may take a while. */
	read_until(p, &never, tool_ended);
	if (tool_ended(p) && process_wait(tool, STEP_MS))
		return true;
	process_kill(tool);
	p->runner->killed = true;
	return false;
}

/* The verdict of a tool that a signal ended. */
static void tool_killed(struct part_run *p)
{
	const int status = p->processes[TOOL].status;

	p->runner->killed = true;
	if (!cell_out_of_memory(p->cell, "tool", status, kills() - p->kills))
		cell_verdict(p->cell, VERDICT_WRONG, "signal %d ended the tool", WTERMSIG(status));
}

/* A tool that has ended without doing its work: -1, and its reason as the verdict. */
static int did_not_run(struct part_run *p)
{
	const struct process *tool = &p->processes[TOOL];
	char why[900];

	boil_down(tool->texts[1].s, why, sizeof(why));
	if (WIFEXITED(tool->status) && WEXITSTATUS(tool->status) == 1)
		cell_verdict(p->cell, VERDICT_NOT_HERE, "%s", *why ? why : "no reason given");
	else if (WIFEXITED(tool->status))
		cell_verdict(p->cell, VERDICT_WRONG,
			     "the tool did not run, it ended with status %d: %s",
			     WEXITSTATUS(tool->status), why);
	else
		tool_killed(p);
	return -1;
}

/* Waits until it traces; 0, or -1 and a verdict. */
static int await_tool(struct part_run *p)
{
	struct process *tool = &p->processes[TOOL];

	read_until(p, p->runner->stop, tool_begins);
	if (tool_traces(p))
		return 0;
	if (*p->runner->stop)
		return -1;
	if (!tool_ended(p)) {
		cell_verdict(p->cell, VERDICT_WRONG, "the tool did not begin within %d s",
			     STEP_MS / 1000);
		return -1;
	}
	process_wait(tool, STEP_MS);
	return did_not_run(p);
}

/* Waits until it has listed; 0, or -1 and a verdict. */
static int await_list(struct part_run *p)
{
	struct process *tool = &p->processes[TOOL];

	read_until(p, p->runner->stop, tool_ended);
	if (*p->runner->stop)
		return -1;
	/* One that does not end is ended, like those that trace. */
	return tool_ended(p) && process_wait(tool, STEP_MS) && tool->status ? did_not_run(p) : 0;
}

/* ---- judging ---- */

bool split_rows(const char *text, size_t n, struct json_rows *rows)
{
	const char *at = text, *end = text + n;
	size_t lines = 0;

	*rows = (struct json_rows){ };
	for (size_t i = 0; i < n; i++)
		lines += text[i] == '\n';
	rows->rows = calloc(lines + 1, sizeof(*rows->rows));
	if (!rows->rows)
		return false;
	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		if (!newline || !json_read(at, (size_t)(newline - at), &rows->rows[rows->n]) ||
		    *rows->rows[rows->n].s != '{')
			return false;
		rows->n++;
		at = newline + 1;
	}
	return true;
}

/* Removes the last row, which is the end object. */
static bool take_end(struct found *f)
{
	if (!f->rows.n || !json_member(f->rows.rows[f->rows.n - 1], "end", &f->end))
		return false;
	f->rows.n--;
	return true;
}

/* Hooks, what is missing, losses: members of the end object of each tool. */
static void judge_end(struct found *f)
{
	static const char *const losses[] = { "lost", "late", "unpaired", "full", "missed",
					       "strings", "unreturned" };
	struct json list, none, v;
	struct json_walk w;
	char text[256];
	int64_t n;

	for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++)
		if (json_member(f->end, losses[i], &v) && json_integer(v, &n))
			f->cell->lost += n;
	f->text_lost = json_member(f->end, "strings", &v) && json_integer(v, &n) && n;
	if (json_member(f->end, "hooks", &list)) {
		w = json_walk(list);
		while (json_next(&w, &none, &v)) {
			json_text(v, text, sizeof(text));
			cell_hooks(f->cell, text);
		}
	}
	if (json_member(f->end, "missing", &list)) {
		w = json_walk(list);
		while (json_next(&w, &none, &v)) {
			json_text(v, text, sizeof(text));
			cell_verdict(f->cell, VERDICT_DEGRADED, "no %s", text);
		}
	}
}

static void judge_words(struct found *f, const char *err)
{
	char note[128];

	if (said_text(f, "note", note, sizeof(note)))
		cell_note(f->cell, note);
	if (!err || !strstr(err, "calls of 32-bit programs are missing"))
		return;
	cell_verdict(f->cell, VERDICT_DEGRADED, "calls of 32-bit programs are missing");
	if (sizeof(void *) == 4) {
		cell_verdict(f->cell, VERDICT_DEGRADED,
			     "sonde's own workload is such a program, and is not shown");
		f->wants.n = 0;
	}
}

static void judge(struct part_run *p)
{
	struct process *tool = &p->processes[TOOL];
	const struct written *out = &tool->texts[0], *words = &p->processes[WORK].texts[0];
	struct found f = { .test = p->test, .cell = p->cell, .foreign = p->runner->foreign };
	struct json_rows said = { };
	char why[600];

	boil_down(tool->texts[1].s, why, sizeof(why));
	if (!WIFEXITED(tool->status))
		tool_killed(p);
	else if (WEXITSTATUS(tool->status))
		cell_verdict(p->cell, VERDICT_WRONG, "the tool ended with status %d: %s",
			     WEXITSTATUS(tool->status), why);
	else if (out->full || !split_rows(out->s, out->n, &f.rows) ||
		 (!p->test->lists && !take_end(&f)))
		cell_verdict(p->cell, VERDICT_WRONG,
			     "wanted rows of JSON%s, got %zu bytes that are not",
			     p->test->lists ? "" : " with an end object", out->n);
	else if (!split_rows(words->s, words->n, &said))
		cell_verdict(p->cell, VERDICT_NOT_HERE, "out of memory");
	else {
		f.wants = pick(&said, "want");
		f.says = pick(&said, "say");
		judge_end(&f);
		judge_words(&f, tool->texts[1].s);
		(p->part->check ? p->part->check : rows_compare)(&f);
	}
	free(f.rows.rows);
	free(f.wants.rows);
	free(f.says.rows);
	free(said.rows);
}

/* ---- a part, a cell ---- */

/* Kills the workload, and removes what it made, also what only the runner can remove. */
static void end_workload(struct part_run *p)
{
	const struct written *words = &p->processes[WORK].texts[0];
	struct found f = { .test = p->test, .cell = p->cell };
	struct json_rows all = { };

	process_kill(&p->processes[WORK]);
	if (p->go >= 0)
		close(p->go);
	if (p->test->cleanup && split_rows(words->s, words->n, &all)) {
		f.says = pick(&all, "say");
		p->test->cleanup(&f);
		free(f.says.rows);
	}
	free(all.rows);
	folder_empty(p->runner->folder);
}

static bool let_work(struct part_run *p)
{
	return write(p->go, "", 1) == 1 && !await_workload(p, workload_done, "{\"done\":");
}

static void run_part(struct runner *r, const struct selftest *test,
		     const struct selftest_part *part,
		     const char *backend, struct cell *c)
{
	struct part_run p = { .runner = r, .test = test, .part = part, .backend = backend,
			      .cell = c, .go = -1, .kills = kills() };
	bool worked = false, ended;

	for (int i = 0; i < PROCESSES; i++)
		p.processes[i].fds[0] = p.processes[i].fds[1] = -1;
	if (start_workload(&p))
		cell_verdict(c, VERDICT_NOT_HERE, "can't make a process: %s", strerror(errno));
	else if (!await_workload(&p, workload_ready, "{\"ready\":"))
		worked = test->lists ? let_work(&p) && start_tool(&p) && !await_list(&p) :
			 start_tool(&p) && !await_tool(&p) && let_work(&p);
	ended = end_tool(&p);
	if (worked && !ended)
		cell_verdict(c, VERDICT_WRONG, "the tool did not end within %d s",
			     STEP_MS / 1000);
	else if (worked)
		judge(&p);
	end_workload(&p);
	for (int i = 0; i < PROCESSES; i++)
		process_free(&p.processes[i]);
}

/* Adds a part's verdict to the cell's. */
static void add_part(struct cell *c, const struct cell *part, const struct selftest_part *p,
		     enum verdict v)
{
	if (v > VERDICT_OK)
		cell_verdict(c, v, "%s%s%s", p->what && v != part->verdict ? p->what : "",
			     p->what && v != part->verdict ? ": " : "", part->why);
	cell_note(c, part->note);
	cell_hooks(c, part->hooks);
	c->wanted += part->wanted;
	c->got += part->got;
	c->lost += part->lost;
}

/* If a part is not here but another one is, the cell is degraded. */
void run_cell(struct runner *r, const struct selftest *test, const char *backend, struct cell *c)
{
	struct cell absent = { }, first = { };
	bool here = false;

	memset(c, 0, sizeof(*c));
	for (const struct selftest_part *p = test->parts; p->work && !*r->stop; p++) {
		struct cell part;
		int tries = 0;

		do {
			memset(&part, 0, sizeof(part));
			run_part(r, test, p, backend, &part);
			tries++;
		} while (!*r->stop && part.verdict != VERDICT_OK &&
			 part.verdict != VERDICT_NOT_HERE &&
			 ((part.lost && tries < LOST_TRIES) ||
			  (part.verdict == VERDICT_WRONG && test->machine_wide &&
			   tries < NOISY_TRIES)));
		if (part.verdict != VERDICT_NOT_HERE) {
			add_part(c, &part, p, part.verdict);
			here = true;
			continue;
		}
		add_part(&absent, &part, p, VERDICT_DEGRADED);
		if (!*first.why)
			first = part;
	}
	if (*first.why && here)
		add_part(c, &absent, test->parts, VERDICT_DEGRADED);
	else if (*first.why)
		add_part(c, &first, test->parts, VERDICT_NOT_HERE);
}
