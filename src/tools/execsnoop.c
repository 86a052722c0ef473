// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/execsnoop.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <regex.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "src/toolkit/proc.h"
#include "src/tools.h"

struct row {
	int64_t clock, time, uid, pid, ppid, cpu, ret;
	struct text comm, args;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -9, AT(clock), .option = "time", .help = "time of day" },
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -8, AT(time), .digits = 3, .option = "timestamp",
	  .help = "seconds since the first line" },
	{ "UID", "uid", COLUMN_INTEGER, -6, AT(uid), .option = "print-uid", .help = "user id" },
	{ "COMM", "comm", COLUMN_TEXT, -16, AT(comm), .help = "name of the new image; of a failure: the old one" },
	{ "PID", "pid", COLUMN_INTEGER, -7, AT(pid), .help = "process id" },
	{ "PPID", "ppid", COLUMN_INTEGER, -7, AT(ppid), .help = "the process that made it, -: it is gone" },
	{ "CPU", "cpu", COLUMN_INTEGER, -4, AT(cpu), .option = "cpu", .help = "where it ran" },
	{ "RET", "ret", COLUMN_INTEGER, 3, AT(ret), .help = "0, or minus the error number" },
	{ "ARGS", "args", COLUMN_TEXT, 0, AT(args), .help = "the file and its arguments; ... is what was cut, "
	  "[?] what could not be read" },
	{ }
};

static const struct option options[] = {
	{ 'T', "time", "show the time of day", OPTION_FLAG },
	{ 't', "timestamp", "show seconds since the first line", OPTION_FLAG },
	{ 'x', "fails", "show failures too", OPTION_FLAG },
	{ 'q', "quote", "put each argument in quotes", OPTION_FLAG },
	{ 'n', "name", "only commands whose name matches this regular expression", OPTION_TEXT, "REGEX" },
	{ 'l', "line", "only if the arguments match this regular expression", OPTION_TEXT, "REGEX" },
	{ 'u', "uid" },
	{ 'U', "print-uid", "show the user id", OPTION_FLAG },
	{ 'C', "cpu", "show the CPU", OPTION_FLAG, .alias = "print-cpu" },
	{ 'P', "ppid", "only children of this process", OPTION_NUMBER, "PPID", 1, 4194304, 0 },
	{ 0, "max-args", "how many arguments are shown", OPTION_NUMBER, "N", 1, ARGS_MAX, 20 },
	{ }
};

static const struct example examples[] = {
	{ "sonde execsnoop -T", "new processes with the time of day" },
	{ "sonde execsnoop -x -n '^mount'", "mount commands, failures too" },
	{ }
};

/*
 * An exec whose arguments come one by one, until its own record or that it is of no use. Where records were lost
 * neither may come: then the oldest give way.
 */
struct pending {
	struct pending *next;
	struct pending *older, *newer;	/* by when they began */
	uint32_t tid;
	uint32_t args;			/* records so far; UINT32_MAX: one is missing */
	size_t length, room;
	char *line;
};

#define BUCKETS 256
#define PENDING_MAX 2048	/* 8 MB at most, of 60 arguments each */

struct state {
	struct pending *pending[BUCKETS];
	struct pending *oldest, *newest;
	unsigned int n_pending;
	int64_t began;			/* boot ticks; whoever was there before is known to /proc alone */
	regex_t name, line;
	bool has_name, has_line;
};

static int compile(regex_t *regex, bool *has, const struct options *o, const char *option, struct error *err)
{
	const char *text = option_text(o, option);
	char why[128];
	int code;

	if (!text)
		return 0;
	code = regcomp(regex, text, REG_EXTENDED | REG_NOSUB);
	if (code) {
		regerror(code, regex, why, sizeof(why));
		return fail(err, "execsnoop: --%s: `%s` is no regular expression: %s", option, text, why);
	}
	*has = true;
	return 0;
}

static int prepare(struct run *r, struct error *err)
{
	const struct options *o = run_options(r);
	struct state *s = run_state(r);
	int64_t max = option_number(o, "max-args");
	char name[16];

	for (int i = 0; i < ARGS_MAX; i++) {
		snprintf(name, sizeof(name), ">%d", i);
		run_constant(r, name, i < max);
	}
	return compile(&s->name, &s->has_name, o, "name", err) || compile(&s->line, &s->has_line, o, "line", err) ? -1 : 0;
}

static struct pending **find(struct state *s, uint32_t tid)
{
	struct pending **p = &s->pending[tid % BUCKETS];

	while (*p && (*p)->tid != tid)
		p = &(*p)->next;
	return p;
}

static void drop(struct state *s, struct pending **at)
{
	struct pending *p = *at;

	*at = p->next;
	*(p->older ? &p->older->newer : &s->oldest) = p->newer;
	*(p->newer ? &p->newer->older : &s->newest) = p->older;
	s->n_pending--;
	free(p->line);
	free(p);
}

static struct pending *begin(struct state *s, uint32_t tid)
{
	struct pending *p = calloc(1, sizeof(*p)), **at;

	if (!p)
		return NULL;
	if (s->n_pending == PENDING_MAX)
		drop(s, find(s, s->oldest->tid));
	at = find(s, tid);
	p->tid = tid;
	p->next = *at;
	*at = p;
	p->older = s->newest;
	*(s->newest ? &s->newest->newer : &s->oldest) = p;
	s->newest = p;
	s->n_pending++;
	return p;
}

static void append(struct pending *p, const char *s, size_t n)
{
	if (p->length + n > p->room) {
		size_t room = 2 * p->room + n + 256;
		char *line = realloc(p->line, room);

		if (!line) {
			p->args = UINT32_MAX;
			return;
		}
		p->line = line;
		p->room = room;
	}
	memcpy(p->line + p->length, s, n);
	p->length += n;
}

/* One argument, in quotes if asked for; quotes and backslashes in it are escaped then. */
static void append_arg(struct run *r, struct pending *p, const struct exec_arg *a)
{
	struct text t = read_text(a->text, a->length, ARG_SHOWN, ARG_READ);
	bool quote = option_number(run_options(r), "quote");

	if (p->length)
		append(p, " ", 1);
	if (!t.s) {
		append(p, "[?]", 3);
		return;
	}
	if (quote)
		append(p, "\"", 1);
	for (uint32_t i = 0; i < t.length; i++) {
		if (quote && (t.s[i] == '"' || t.s[i] == '\\'))
			append(p, "\\", 1);
		append(p, t.s + i, 1);
	}
	if (t.cut)
		append(p, "...", 3);
	if (quote)
		append(p, "\"", 1);
}

static void argument(struct run *r, const struct exec_arg *a)
{
	struct state *s = run_state(r);
	struct pending **at = find(s, a->tid), *p = *at;

	if (p && !a->index) {		/* the one before never ended: its last record was lost */
		drop(s, at);
		p = NULL;
	}
	if (!p) {
		p = begin(s, a->tid);
		if (p && a->index)
			p->args = UINT32_MAX;
	}
	if (!p || p->args == UINT32_MAX)
		return;
	p->args++;
	if (a->index == 1)		/* there was no name: argv[0] stands for it */
		p->length = 0;
	append_arg(r, p, a);
}

static int started(struct run *r, struct error *err)
{
	struct state *s = run_state(r);
	long ticks = sysconf(_SC_CLK_TCK);

	(void)err;
	s->began = clock_ns(CLOCK_BOOTTIME) / (NS_PER_SECOND / ticks);
	return 0;
}

/*
 * Of a process made before tracing began only /proc knows, as long as it lives. Who has its number by now may be
 * another: one that was made since.
 */
static int64_t parent_of(struct run *r, int64_t pid)
{
	const struct state *s = run_state(r);
	struct proc_stat stat;
	char path[32];

	if (pid == NOTHING || !run_ids_are_procs(r))
		return NOTHING;
	snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
	if (!proc_stat(AT_FDCWD, path, &stat) || stat.ticks >= (uint64_t)s->began || !stat.ppid)
		return NOTHING;
	return stat.ppid;
}

static bool matches(bool has, const regex_t *regex, const char *text)
{
	return !has || !regexec(regex, text, 0, NULL, 0);
}

static void show(struct run *r, const struct exec_done *d, struct pending *p)
{
	const struct options *o = run_options(r);
	const struct state *s = run_state(r);
	char comm[17];
	struct row row = {
		.clock = run_wall_clock(r, d->time), .time = run_since_start(r, d->time),
		.uid = run_has_input(r, "exec.done", "uid") ? d->uid : NOTHING,
		.pid = tgid_of(d->pid_tgid), .cpu = d->cpu, .ret = d->ret,
		.ppid = d->ppid == UINT32_MAX ? NOTHING : d->ppid ? d->ppid : parent_of(r, tgid_of(d->pid_tgid)),
		.comm = comm_text(d->comm),
	};

	if (d->flags & EXEC_MORE)
		append(p, " ...", 4);
	if (d->flags & EXEC_FAULT)
		append(p, " [?]", 4);
	row.args = (struct text){ .length = (uint32_t)p->length, .quoted = option_number(o, "quote") };
	append(p, "", 1);		/* for regexec() */
	if (p->args == UINT32_MAX)
		return;
	row.args.s = p->line;
	snprintf(comm, sizeof(comm), "%.*s", (int)row.comm.length, row.comm.s ? row.comm.s : "");
	if (option_number(o, "ppid") && row.ppid != option_number(o, "ppid"))
		return;
	if (matches(s->has_name, &s->name, comm) && matches(s->has_line, &s->line, p->line))
		output_row(run_output(r), &row);
}

static void record(struct run *r, const struct record *record)
{
	const struct exec_done *d = record->bytes;
	struct state *s = run_state(r);
	struct pending **at;

	switch (((const struct exec_record *)record->bytes)->type) {
	case EXEC_ARG:
		argument(r, record->bytes);
		return;
	case EXEC_GONE:
		at = find(s, ((const struct exec_gone *)record->bytes)->tid);
		if (*at)
			drop(s, at);
		return;
	}
	at = find(s, d->tid);
	if (!*at)
		return;
	/* A row whose arguments did not all come is not shown: what is lost is counted elsewhere. */
	if ((*at)->args == d->args)
		show(r, d, *at);
	drop(s, at);
}

static void cleanup(struct run *r)
{
	struct state *s = run_state(r);

	while (s->oldest)
		drop(s, find(s, s->oldest->tid));
	if (s->has_name)
		regfree(&s->name);
	if (s->has_line)
		regfree(&s->line);
}

/* support: bpf: full (4.7) | bpf (4.14): [1] | perf (to 4.19, from 5.15), ftrace: [2] [6] | no */
TOOL(execsnoop, "processes", "trace new processes: who executes which file with which arguments",
	.shape = SHAPE_EVENTS,
	.programs = &execsnoop_programs,
	.options = options,
	.columns = columns,
	.examples = examples,
	.state_size = sizeof(struct state),
	.prepare = prepare,
	.started = started,
	.record = record,
	.cleanup = cleanup,
);
