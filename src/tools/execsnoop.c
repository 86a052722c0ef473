// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/execsnoop.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/hash.h"
#include "compat/expressions/expression.h"
#include "src/run/tools.h"
#include "src/toolkit/proc.h"

struct row {
	const struct exec_done *record;
	int64_t ppid;
	struct text args;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -9, .field = "time",
	  .option = "time", .help = "time of day" },
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -8, .field = "time", .digits = 3,
	  .option = "timestamp", .help = "seconds since the first line" },
	{ "UID", "uid", COLUMN_INTEGER, -6, .field = "uid",
	  .option = "print-uid", .help = "user id" },
	{ "COMM", "comm", COLUMN_TEXT, -16, .field = "comm",
	  .help = "name of the new program; of a failure: of the task that called" },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "pid", .help = "process id" },
	{ "PPID", "ppid", COLUMN_INTEGER, -7, AT(ppid),
	  .help = "parent process, -: ended or unknown" },
	{ "CPU", "cpu", COLUMN_INTEGER, -4, .field = "cpu",
	  .option = "cpu", .help = "the one that ran it" },
	{ "RET", "ret", COLUMN_INTEGER, 3, .field = "ret",
	  .help = "0, or minus the error number" },
	{ "ARGS", "args", COLUMN_TEXT, 0, AT(args), .span = SPAN_NAME,
	  .help = "the file and its arguments; ...: cut, [?]: could not be read" },
	{ }
};

static const struct part parts[] = {
	{ &exec_done_layout, AT(record), .pointer = true },
	{ }
};

/* What the functions below read of the options. */
struct execsnoop_options {
	bool quote;
	int64_t max_args, ppid;
	const char *name, *line;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct execsnoop_options, MEMBER)

static const struct option options[] = {
	{ 'T', "time", "show the time of day", OPTION_FLAG },
	{ 't', "timestamp", "show seconds since the first line", OPTION_FLAG },
	{ 'x', "fails", "show failures too", OPTION_FLAG },
	{ 'q', "quote", "put each argument in quotes", OPTION_FLAG, TO(quote) },
	{ 'n', "name", "only commands whose name matches this regular expression",
	  OPTION_TEXT, "REGEX", TO(name) },
	{ 'l', "line", "only commands whose arguments match this regular expression",
	  OPTION_TEXT, "REGEX", TO(line) },
	{ 'u', "uid" },
	{ 'U', "print-uid", "show the user id", OPTION_FLAG },
	{ 'C', "cpu", "show the CPU", OPTION_FLAG, .alias = "print-cpu" },
	{ 'P', "ppid", "only children of this process", OPTION_NUMBER, "PPID", 1, 4194304, 0,
	  TO(ppid) },
	{ 'M', "max-args", "show at most N arguments", OPTION_NUMBER, "N", 1, ARGS_MAX, 20,
	  TO(max_args) },
	{ }
};

static const struct example examples[] = {
	{ "sonde execsnoop -x -n '^mount'", "mount commands, failures too" },
	{ }
};

/* A text among the bytes of its exec. */
struct told {
	uint32_t at;
	int32_t length;			/* UNREADABLE, or bytes */
	bool cut;
};

#define UNREADABLE (-1)

/*
 * An exec's arguments, which come one by one before its own record, or before the record that it is
 * of no use. Neither may come, if records are lost: then the oldest give way.
 */
struct pending {
	struct pending *older, *newer;	/* by when they began */
	uint32_t tid;
	uint32_t args;			/* records so far; UINT32_MAX: one is missing */
	/* argv at the entry, and again; [0] at the entry only if the file has no name */
	struct told argv[ARGS_MAX], again[ARGS_MAX];
	struct told name, file;
	uint8_t n, n_again;
	bool nameless;
	size_t length, room;
	char *bytes;
};

#define PENDING_MAX 2048	/* 37 MB at most, with 60 arguments each, read twice */

struct state {
	struct hash pending;		/* by tid */
	struct pending *oldest, *newest;
	int64_t began;			/* ticks since boot; older processes only /proc knows */
	struct expression *name, *line;	/* NULL: all */
};

static int compile(struct expression **e, const char *option, const char *text,
		   struct error *err)
{
	struct error why;

	if (!text)
		return 0;
	*e = expression_new(text, &why);
	return *e ? 0 : fail(err, "execsnoop: --%s: `%s` is not a regular expression: %s",
			     option, text, why.text);
}

static int prepare(struct run *r, struct error *err)
{
	const struct execsnoop_options *o = run_asked(r);
	struct state *s = run_state(r);
	int64_t max = o->max_args;
	char name[16];

	for (int i = 0; i < ARGS_MAX; i++) {
		snprintf(name, sizeof(name), ">%d", i);
		run_constant(r, name, i < max);
	}
	if (compile(&s->name, "name", o->name, err) || compile(&s->line, "line", o->line, err))
		return -1;
	return 0;
}

static struct pending *find(const struct state *s, uint32_t tid)
{
	return hash_find(&s->pending, &tid, sizeof(tid));
}

static void drop(struct state *s, struct pending *p)
{
	const uint32_t tid = p->tid;

	*(p->older ? &p->older->newer : &s->oldest) = p->newer;
	*(p->newer ? &p->newer->older : &s->newest) = p->older;
	free(p->bytes);
	hash_remove(&s->pending, &tid, sizeof(tid));
}

static struct pending *begin(struct state *s, uint32_t tid)
{
	struct pending *p;

	if (s->pending.index.n == PENDING_MAX)
		drop(s, s->oldest);
	s->pending.value_size = sizeof(*p);
	p = hash_add(&s->pending, &tid, sizeof(tid));
	if (!p)
		return NULL;
	p->tid = tid;
	p->file.length = UNREADABLE;
	p->older = s->newest;
	*(s->newest ? &s->newest->newer : &s->oldest) = p;
	s->newest = p;
	return p;
}

static void append(struct pending *p, const char *s, size_t n)
{
	if (p->length + n > p->room) {
		size_t room = 2 * p->room + n + 256;
		char *bytes = realloc(p->bytes, room);

		if (!bytes) {
			p->args = UINT32_MAX;
			return;
		}
		p->bytes = bytes;
		p->room = room;
	}
	memcpy(p->bytes + p->length, s, n);
	p->length += n;
}

static struct told tell(struct pending *p, const struct exec_arg *a)
{
	struct text t = read_text(a->text, a->length, ARG_SHOWN, ARG_READ);
	struct told told = { (uint32_t)p->length, t.s ? (int32_t)t.length : UNREADABLE, t.cut };

	if (t.s)
		append(p, t.s, t.length);
	return told;
}

static void argument(struct run *r, const struct exec_arg *a)
{
	struct state *s = run_state(r);
	struct pending *p = find(s, a->tid);

	if (p && !a->index) {		/* the last record of the exec before was lost */
		drop(s, p);
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
	if (!a->index) {
		p->name = tell(p, a);
		p->n = 1;
	} else if (a->index == ARG_FILE) {
		p->file = tell(p, a);
	} else if (a->index >= ARG_AGAIN && a->index < ARG_AGAIN + ARGS_MAX) {
		p->n_again = (uint8_t)(a->index - ARG_AGAIN + 1);
		p->again[p->n_again - 1] = tell(p, a);
	} else if (a->index <= ARGS_MAX) {
		p->n = (uint8_t)a->index;
		p->argv[p->n - 1] = tell(p, a);
		p->nameless |= p->n == 1;
	}
}

/* One argument. With --quote it is in quotes, and quotes and backslashes in it are escaped. */
static void append_arg(struct pending *p, const struct told *t, bool quote)
{
	if (t->length < 0) {
		append(p, "[?]", 3);
		return;
	}
	if (quote)
		append(p, "\"", 1);
	for (uint32_t i = 0; i < (uint32_t)t->length && p->args != UINT32_MAX; i++) {
		char c = p->bytes[t->at + i];

		if (quote && (c == '"' || c == '\\'))
			append(p, "\\", 1);
		append(p, &c, 1);
	}
	if (t->cut)
		append(p, "...", 3);
	if (quote)
		append(p, "\"", 1);
}

/* argv[i] as it was at the entry, or else when it was read again. */
static const struct told *argument_of(const struct pending *p, int i)
{
	static const struct told none = { .length = UNREADABLE };

	if (i < p->n && p->argv[i].length >= 0)
		return &p->argv[i];
	return i < p->n_again ? &p->again[i] : &none;
}

static bool same_text(const struct pending *p, const struct told *a, const struct told *b)
{
	return a->length >= 0 && a->length == b->length && a->cut == b->cut &&
	       !memcmp(p->bytes + a->at, p->bytes + b->at, (size_t)a->length);
}

/* Returns true if the text may be the name of a script that its interpreter was given. */
static bool may_be_file(const struct pending *p, const struct told *t)
{
	static const char by_fd[] = "/dev/fd/";		/* of execveat */
	const size_t n = sizeof(by_fd) - 1;

	return t->length < 0 || same_text(p, t, &p->name) || same_text(p, t, &p->file) ||
	       ((size_t)t->length >= n && !memcmp(p->bytes + t->at, by_fd, n));
}

/*
 * The new image's argv has the interpreter, its arguments and the script's name before the other
 * arguments of a script. Returns how many they are; -1 if that can't be told.
 */
static int image_begins(const struct pending *p, uint32_t flags)
{
	const bool counted = !(flags & (EXEC_FAULT | EXEC_MORE | EXEC_AGAIN_MORE));
	const int before = counted ? p->n_again - p->n : 0;
	/* Five interpreters, one for the other, each with an argument, and the script. */
	const int most = flags & EXEC_AGAIN_MORE ? 11 : p->n_again;
	bool has_file = false;

	if (before < 0 || (!counted && p->n_again < most) ||
	    (p->name.length < 0 && p->file.length < 0))
		return -1;
	for (int i = 1; i < (counted ? before + 1 : most); i++)
		has_file |= may_be_file(p, &p->again[i]);
	if (has_file != (before > 0))
		return -1;
	for (int i = 1; i < p->n && i + before < p->n_again; i++)
		if (p->argv[i].length >= 0 && !same_text(p, &p->argv[i], &p->again[i + before]))
			return -1;
	return before;
}

/* Takes the arguments from the new image. Returns the flags, without those of what is unfit. */
static uint32_t take_image(struct run *r, struct pending *p, uint32_t flags)
{
	const int before = image_begins(p, flags);
	unsigned int found = !!(flags & EXEC_ROW);

	if (before < 0) {
		p->n_again = 0;
		return flags & ~(uint32_t)(EXEC_AGAIN | EXEC_AGAIN_MORE);
	}
	p->n_again = (uint8_t)(p->n_again - before);
	memmove(p->again, p->again + before, p->n_again * sizeof(*p->again));
	for (int i = p->nameless ? 0 : 1; i < p->n && i < p->n_again; i++)
		found += p->argv[i].length < 0 && p->again[i].length >= 0;
	run_read_again(r, found);
	return flags;
}

/* Appends the line to the bytes, with its end. Returns where it begins. */
static size_t append_line(struct run *r, struct pending *p, uint32_t flags)
{
	const struct execsnoop_options *o = run_asked(r);
	const bool quote = o->quote;
	const int64_t max = o->max_args;
	size_t line;
	int n;

	if (flags & EXEC_IMAGE)
		flags = take_image(r, p, flags);
	line = p->length;
	n = p->n;
	/* What was read again may end sooner than what was asked for. */
	if (flags & EXEC_AGAIN && (!(flags & EXEC_AGAIN_MORE) || p->n_again >= max)) {
		n = p->n_again;
		flags &= ~(uint32_t)(EXEC_FAULT | EXEC_MORE);
		flags |= flags & EXEC_AGAIN_MORE ? EXEC_MORE : 0;
	}
	if (p->nameless)
		append_arg(p, argument_of(p, 0), quote);
	else
		append_arg(p, p->name.length >= 0 ? &p->name : &p->file, quote);
	for (int i = 1; i < n; i++) {
		append(p, " ", 1);
		append_arg(p, argument_of(p, i), quote);
	}
	if (flags & EXEC_MORE)
		append(p, " ...", 4);
	if (flags & EXEC_FAULT)
		append(p, " [?]", 4);
	append(p, "", 1);
	return line;
}

static int started(struct run *r, struct error *err)
{
	struct state *s = run_state(r);
	long ticks = sysconf(_SC_CLK_TCK);

	(void)err;
	if (!run_has_hook(r, "exec.enter"))
		run_note(r, "failures and arguments ([?]) are missing: nothing here tells sonde "
			    "of them (-v says why)");
	s->began = clock_ns(CLOCK_BOOTTIME) / (NS_PER_SECOND / ticks);
	return 0;
}

/*
 * The parent of a process that was made before tracing began: only /proc knows it, as long as the
 * process lives. A process that was made since is another one with the same id.
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

static bool matches(struct expression *e, const char *text)
{
	return !e || expression_matches(e, text);
}

static int64_t ppid_of(struct run *r, const struct exec_done *d)
{
	if (d->ppid == UINT32_MAX)
		return NOTHING;
	return d->ppid ? d->ppid : parent_of(r, tgid_of(d->pid_tgid));
}

static void show(struct run *r, const struct exec_done *d, struct pending *p)
{
	const struct execsnoop_options *o = run_asked(r);
	const struct state *s = run_state(r);
	struct row row = { .record = d, .ppid = ppid_of(r, d) };
	char comm[sizeof(d->comm) + 1] = "";
	size_t line;

	run_since_start(r, d->time);	/* the first one begins it, shown or not */
	line = append_line(r, p, d->flags);
	if (p->args == UINT32_MAX)
		return;
	row.args = (struct text){
		.s = p->bytes + line,
		.length = (uint32_t)(p->length - line - 1),
	};
	row.args.quoted = o->quote;
	memcpy(comm, d->comm, sizeof(d->comm));
	if (o->ppid && row.ppid != o->ppid)
		return;
	if (matches(s->name, comm) && matches(s->line, row.args.s))
		output_row(run_output(r), &row);
}

static void record(struct run *r, const struct record *record)
{
	const struct exec_done *d = record->bytes;
	struct state *s = run_state(r);
	struct pending *p;

	switch (((const struct exec_record *)record->bytes)->type) {
	case EXEC_ARG:
		argument(r, record->bytes);
		return;
	case EXEC_GONE:
		p = find(s, ((const struct exec_gone *)record->bytes)->tid);
		if (p)
			drop(s, p);
		return;
	}
	p = find(s, d->tid);
	if (!p)
		return;
	/* An exec is not shown if some of its arguments were lost; losses are counted elsewhere. */
	if (p->args == d->args)
		show(r, d, p);
	drop(s, p);
}

static void cleanup(struct run *r)
{
	struct state *s = run_state(r);

	while (s->oldest)
		drop(s, s->oldest);
	hash_clear(&s->pending);
	expression_free(s->name);
	expression_free(s->line);
}

static const char *const unseen[] = { "failures", "arguments", NULL };
static const char *const of_unseen[] = { "fails", "line", NULL };
static const struct tool_last_resort last_resort = { &execsnoop_alone, unseen, of_unseen };

/* support: bpf: full (4.7) | bpf (4.14): [1]; [29] (4.7) |
 * perf (to 4.19, from 5.15), ftrace: [2] [6] | perf, ftrace: [2] [29] */
TOOL(execsnoop, "processes", "trace new processes: tasks, files and arguments",
	.shape = SHAPE_EVENTS,
	.programs = &execsnoop_programs,
	.last_resort = &last_resort,
	.options = options,
	.options_size = sizeof(struct execsnoop_options),
	.columns = columns,
	.parts = parts,
	.examples = examples,
	.state_size = sizeof(struct state),
	.prepare = prepare,
	.started = started,
	.record = record,
	.cleanup = cleanup,
);
