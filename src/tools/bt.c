// SPDX-License-Identifier: GPL-2.0
/* Scripts in bpftrace's language. */
#include "src/bt/bt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/escape.h"
#include "compat/base/strbuf.h"
#include "src/bt/run/run.h"
#include "src/bt/scripts/scripts.h"
#include "src/bt/show/list.h"
#include "src/language/questions/probes/started.h"
#include "src/lib/output/sink.h"
#include "src/run/options/common.h"
#include "src/run/tools.h"

#define SCRIPT_BYTES 65535		/* of a script: places in it have 16 bits */
#define BETWEEN '\n'			/* between words of the command line */

struct state {
	struct bt bt;
	struct bt_run run;
	char *words;			/* the command line's words behind the options */
	char **arguments;
	char *command, **command_words;	/* of -c */
	char *text;
};

#define AT(MEMBER) offsetof(struct bt_line, MEMBER)
#define MACHINES(HEAD, NAME, TYPE, MEMBER, HELP, ...) \
	{ HEAD, NAME, TYPE, 0, AT(MEMBER), .readers = FOR_MACHINES, .help = HELP, __VA_ARGS__ }

static const struct column columns[] = {
	MACHINES("TYPE", "type", COLUMN_TEXT, type,
		 "printf, value, time, join, cat, syscall, map, hist or tseries"),
	MACHINES("TEXT", "text", COLUMN_TEXT, text, "output of the statement"),
	MACHINES("MAP", "map", COLUMN_TEXT, map, "name of the map", .role = IS_IDENTITY),
	MACHINES("KEY", "key", COLUMN_TEXT, key, "the entry's key", .role = IS_IDENTITY),
	MACHINES("VALUE", "value", COLUMN_TEXT, value, "its value", .unit = IN_ANY),
	MACHINES("LOW", "low", COLUMN_INTEGER, low, "of a histogram: the smallest value",
		 .unit = IN_ANY),
	MACHINES("HIGH", "high", COLUMN_INTEGER, high, "the largest value", .unit = IN_ANY),
	MACHINES("COUNT", "count", COLUMN_INTEGER, count, "events with these values"),
	{ }
};

static const struct option_name buffering[] = { { "line", 0 }, { "full", 0 }, { "none", 0 },
						{ NULL, 0 } };

static const struct option_name forms[] = { { "text", 0 }, { "json", 0 }, { NULL, 0 } };

static const struct option_name versions[] = { { "0.23", 0 }, { "newest", 0 }, { NULL, 0 } };

/* What the functions below read of the options. */
struct bt_options {
	bool probes, info, list, unsafe, no_warnings, dry_run, quiet;
	const char *execute, *script, *command, *debug, *mode, *output, *compat,
		*probe_filter, *format, *include, *btf;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct bt_options, MEMBER)

static const struct option options[] = {
	{ 0, "script", "the script's file, and words for $1, $2 ...; - is standard input. Or the "
	  "name of a bundled script",
	  OPTION_TEXT, "FILE", .positional = true, .joins = BETWEEN, TO(script) },
	{ 'e', "execute", "the script itself, instead of a file", OPTION_TEXT, "PROGRAM",
	  TO(execute) },
	{ 'p', "pid" },
	{ 'q', "quiet", "do not say how many probes are attached", OPTION_FLAG, TO(quiet) },
	{ 'f', "format", "json: bpftrace's own form of it", OPTION_TEXT, "text|json",
	  .names = forms, .excludes = "json", TO(format) },
	{ 'l', "probes", "list the probes that match FILE, a pattern: 'k:vfs_*'; all",
	  OPTION_FLAG, TO(probes) },
	{ 0, "list", "list the bundled scripts; with FILE print that one", OPTION_FLAG,
	  TO(list) },
	{ 'c', "command", "run this command, and end with it", OPTION_TEXT, "COMMAND",
	  .alias = "cmd", .excludes = "exec", TO(command) },
	{ 'o', "output", "write the script's output into this file", OPTION_TEXT, "FILE",
	  TO(output) },
	{ 0, "compat", "print as bpftrace 0.23 does, not as the newest", OPTION_TEXT,
	  "0.23|newest", .names = versions, TO(compat) },
	{ 0, "dry-run", "read the script, and trace nothing", OPTION_FLAG, TO(dry_run) },
	{ 0, "no-warnings", "do not report parts that are left out", OPTION_FLAG,
	  TO(no_warnings) },
	{ 0, "probe-filter", "only probes whose names match this regular expression", OPTION_TEXT,
	  "REGEX", TO(probe_filter) },
	{ 0, "info", "kernel, machine and version, as bpftrace's --info", OPTION_FLAG,
	  TO(info) },
	{ 'k', "kernel-errors", "for command lines of bpftrace: failed reads are counted "
	  "anyway", OPTION_FLAG },
	{ 0, "usdt-file-activation", "for command lines of bpftrace: probes (USDT) of all "
	  "processes are on anyway", OPTION_FLAG },
	{ 'B', "buffering", "for command lines of bpftrace: sonde prints at once",
	  OPTION_TEXT, "line|full|none", .names = buffering },
	{ 'd', "debug", "show the script behind a pass (import, expand, parse, attach, types ...), "
	  "and trace nothing. ast: its trees; codegen and dis: the instructions, as --dump",
	  OPTION_TEXT, "STAGE", .joins = ',', TO(debug) },
	{ 0, "mode", "for command lines of bpftrace: scripts are neither tested nor measured here",
	  OPTION_TEXT, "MODE", TO(mode) },
	{ 'V', "version" },
	{ 0, "unsafe", "allow system() and signal()", OPTION_FLAG, TO(unsafe) },
	{ 'I', "include", "C declarations of structs: FILE.h; repeatable", OPTION_TEXT, "FILE",
	  .joins = '\n', TO(include) },
	{ 0, "btf", "type information (BTF) for a kernel without it", OPTION_TEXT, "FILE",
	  .joins = '\n', TO(btf) },
	{ }
};

static const struct example examples[] = {
	{ "sonde bt -e 't:sched:sched_switch{@[comm]=count()}'", "task switches" },
	{ "sonde bt killsnoop.bt", "a file's script" },
	{ "sonde bt wakers", "one of sonde's" },
	{ }
};

/* ---- before the engine ---- */

/* The bundled script under this name, if there is no such file. */
static const struct bt_script *comes_along(const char *name)
{
	return access(name, F_OK) ? bt_script_named(name) : NULL;
}

static char *read_file(const char *path, struct error *err)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "re") : fdopen(dup(STDIN_FILENO), "r");
	char *text = f ? calloc(1, SCRIPT_BYTES + 2) : NULL;
	size_t n = text ? fread(text, 1, SCRIPT_BYTES + 1, f) : 0;
	const bool broken = !text || ferror(f);
	const int number = errno;

	if (f)
		fclose(f);
	if (!broken && n <= SCRIPT_BYTES && !memchr(text, '\0', n))
		return text;
	if (broken)
		fail_with(err, number, "ERROR: failed to open file '%s': %m%s", path,
			  strpbrk(path, "/.") ? "" :
			  "\n`sonde bt --list` shows the bundled scripts");
	else
		fail(err, "ERROR: %s is no script: a script is a text of %d characters at "
			  "most", path,
		     SCRIPT_BYTES);
	free(text);
	return NULL;
}

/* Cuts the words, and returns their number. */
static unsigned int cut_words(struct state *s, const char *words)
{
	unsigned int n = 0;

	s->words = words ? strdup(words) : NULL;
	s->arguments = calloc((words ? strlen(words) : 0) + 2, sizeof(*s->arguments));
	if (!s->words || !s->arguments)
		return 0;
	for (char *at = s->words; at; at = strchr(at, BETWEEN)) {
		if (n)
			*at++ = '\0';
		s->arguments[n++] = at;
	}
	return n;
}

/* The script's own options go behind the other arguments, which are numbered. */
static void take_arguments(struct bt *b, char **list, unsigned int n)
{
	unsigned int plain = 0;

	for (unsigned int i = 0; i < n; i++) {
		char *one = list[i];

		if (!strncmp(one, "--", 2))
			continue;
		memmove(list + plain + 1, list + plain, (i - plain) * sizeof(*list));
		list[plain++] = one;
	}
	b->arguments = list;
	b->n_arguments = plain;
	b->n_options = n - plain;
}

/* The script, and its name in messages. Returns NULL and sets err if there is none. */
static const char *script_of(struct run *r, struct state *s, const char **name, struct error *err)
{
	const struct bt_options *o = run_asked(r);
	const char *program = o->execute;
	unsigned int n = cut_words(s, o->script);

	*name = "stdin";
	if (!program && !n) {
		fail(err, "bt: it needs a script: FILE, or -e 'PROGRAM'\n"
		     "`sonde help bt` lists its options");
		return NULL;
	}
	if (program) {
		take_arguments(&s->bt, s->arguments, n);
		return program;
	}
	*name = s->arguments[0];
	take_arguments(&s->bt, s->arguments + 1, n - 1);
	if (comes_along(*name))
		return comes_along(*name)->text;
	s->text = read_file(*name, err);
	if (!s->text)
		run_unfit_text(r);
	return s->text;
}

/* The words of -c are between blanks, as bpftrace has them. */
static int prepare_command(struct run *r, struct state *s, struct error *err)
{
	const struct bt_options *o = run_asked(r);
	const char *command = o->command;
	unsigned int n = 0;

	if (!command)
		return 0;
	s->command = strdup(command);
	s->command_words = calloc(strlen(command) + 2, sizeof(*s->command_words));
	if (!s->command || !s->command_words)
		return fail(err, "out of memory");
	for (char *word = strtok(s->command, " "); word; word = strtok(NULL, " "))
		s->command_words[n++] = word;
	if (!n)
		return fail(err, "bt: -c: a command belongs here");
	run_command(r, s->command_words);
	return 0;
}

/* With -l: a script's file, or a pattern. */
static bool lists_names(const struct bt_options *o)
{
	const char *what = o->script;

	return o->probes && !o->execute && (!what || (access(what, R_OK) && !comes_along(what)));
}

static int list_script(struct run *r, const struct bt *b)
{
	static const char *const measured[] = { "interval:", "profile:", "software:", "hardware:" };

	for (unsigned int i = 0; i < b->n_names; i++) {
		const char *name = b->names[i].probe;
		size_t n = strlen(name);

		/* How long or how many is not the probe's name. */
		for (size_t k = 0; k < sizeof(measured) / sizeof(measured[0]); k++)
			if (!strncmp(name, measured[k], strlen(measured[k])))
				n = (size_t)(strrchr(name, ':') - name) + 1;
		escape_text(sink_out(), name, n);
		fputc('\n', sink_out());
	}
	run_end(r);
	return 0;
}

static int list(struct run *r, struct error *err)
{
	const struct bt_options *o = run_asked(r);

	run_end(r);
	if (bt_list(run_kernel(r), o->script, common_of(run_options(r))->verbose, err)) {
		run_unfit(r);
		return -1;
	}
	return 0;
}

static int list_scripts(struct run *r, struct error *err)
{
	const struct bt_options *o = run_asked(r);
	const char *name = o->script;
	const struct bt_script *script = name ? bt_script_named(name) : NULL;

	if (name && !script)
		return fail(err, "bt: --list: no bundled script is called `%s`\n"
			    "`sonde bt --list` shows them", name);
	run_end(r);
	if (script)
		fputs(script->text, sink_out());
	else
		bt_scripts_list(sink_out());
	return 0;
}

static int tell_info(struct run *r)
{
	struct kernel *k = run_kernel(r);

	fprintf(sink_out(), "System\n  OS: Linux %s %s\n  Arch: %s\n\nBuild\n  version: sonde "
		SONDE_VERSION "\n\n`sonde features` lists this kernel's "
			      "features\n", kernel_release(k),
		kernel_version_text(k), kernel_arch(k)->name);
	run_end(r);
	return 0;
}

/* What bpftrace's stages show here: passes, or the instructions, as --dump. */
static const struct {
	const char *name;
	const char *passes[2];
	bool instructions;
} stages[] = {
	{ "ast", { "parse", "types" }, false },
	{ "codegen", { NULL }, true },
	{ "codegen-opt", { NULL }, true },
	{ "dis", { NULL }, true },
};

static bool is_stage(const char *name, const char *list, size_t n)
{
	return name && strlen(name) == n && !memcmp(name, list, n);
}

/* Bits of the passes of this name. */
static uint32_t passes_named(const char *name, size_t n)
{
	uint32_t bits = 0;

	for (size_t i = 0; bt_pass(i); i++)
		if (is_stage(bt_pass(i), name, n) || is_stage("all", name, n))
			bits |= 1U << i;
	return bits;
}

static int no_stage(const char *name, size_t n, struct error *err)
{
	char list[200];
	struct strbuf all = strbuf_over(list, sizeof(list));

	for (size_t i = 0; bt_pass(i); i++) {
		strbuf_between(&all, ", ");
		strbuf_addf(&all, "%s", bt_pass(i));
	}
	return fail(err, "bt: -d: sonde has no stage %.*s: it has the passes %s; ast is parse and "
		    "types, codegen and dis are the instructions, and all is all\n"
		    "The kernel's verifier explains itself if it refuses them", (int)n, name,
		    list);
}

/* One stage of -d STAGE,STAGE. Returns -1, with err set, if there is none of this name. */
static int show_stage(struct run *r, struct bt *b, const char *name, size_t n, struct error *err)
{
	uint32_t bits = passes_named(name, n);
	bool instructions = is_stage("all", name, n);

	for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
		if (!is_stage(stages[i].name, name, n))
			continue;
		for (size_t k = 0; k < 2 && stages[i].passes[k]; k++)
			bits |= passes_named(stages[i].passes[k], strlen(stages[i].passes[k]));
		instructions |= stages[i].instructions;
	}
	b->shown_passes |= bits;
	if (instructions)
		run_dump(r);
	return bits || instructions ? 0 : no_stage(name, n, err);
}

static int show_stages(struct run *r, struct bt *b, const char *list, struct error *err)
{
	for (size_t n; *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		if (show_stage(r, b, list, n, err))
			return -1;
	}
	return 0;
}

static int prepare_probes(struct run *r, const struct state *s, struct error *err)
{
	for (const struct bt_probe *p = s->bt.probes; p; p = p->next) {
		if (*p->constant)
			run_constant(r, p->constant, p->frequency);
		if (bt_goes_through(p) && run_filtered(r))
			return fail(err, "bt: -p and other filters are for events, and iter goes "
				    "through all tasks: take a predicate, "
				    "/ctx->task->tgid == PID/");
	}
	return 0;
}

static int prepare(struct run *r, struct error *err)
{
	static const struct program none[] = { { } };
	struct state *s = run_state(r);
	const struct bt_options *o = run_asked(r);
	const char *name, *text;
	struct error why = { };

	if (o->info)
		return tell_info(r);
	if (o->debug != NULL && show_stages(r, &s->bt, o->debug, err))
		return -1;
	if (o->mode != NULL)
		return fail(err, "bt: --mode: sonde neither tests nor measures scripts: a BEGIN "
			    "with if and errorf() tests, and --dump shows the cost of a probe");
	if (o->output != NULL && sink_into("ERROR", o->output, err)) {
		run_unfit_text(r);
		return -1;
	}
	if (o->list)
		return list_scripts(r, err);
	if (lists_names(o))
		return list(r, err);
	text = script_of(r, s, &name, err);
	if (!text || prepare_command(r, s, err))
		return -1;
	s->run = (struct bt_run){ .bt = &s->bt, .run = r };
	s->bt.started = monotonic_ns();
	s->bt.run = r;
	s->bt.unsafe = o->unsafe;
	s->bt.old = o->compat != NULL && !strcmp(o->compat, "0.23");
	s->bt.silent = o->no_warnings;
	s->bt.filter = o->probe_filter;
	s->bt.json = o->format != NULL && !strcmp(o->format, "json");
	s->bt.script.file = bt_programs.programs->file;
	if (script_begin(&s->bt.script, run_kernel(r), o->include, o->btf, &why))
		return fail_with(err, why.number, "bt: %s", why.text);
	probe_files(r, s->bt.script.types);
	if (bt_make(&s->bt, name, text, err)) {
		run_unfit_text(r);
		return -1;
	}
	if (o->probes)
		return list_script(r, &s->bt);
	if (o->dry_run || (s->bt.shown_passes && !run_dumps(r) &&
			   !common_of(run_options(r))->dump)) {
		run_end(r);
		return 0;
	}
	if (!s->bt.script.set.programs)
		s->bt.script.set.programs = none;
	run_programs(r, &s->bt.script.set);
	return prepare_probes(r, s, err);
}

/* ---- the run ---- */

/* How many probes there are: on standard error, but of older versions with the script's output. */
static void tell_attached(struct run *r)
{
	const struct bt_options *o = run_asked(r);
	const struct state *s = run_state(r);
	unsigned int n = 0;
	char line[64];

	if (o->quiet || s->run.exports)
		return;
	for (const struct bt_probe *p = s->bt.probes; p; p = p->next)
		n += p->n_names;
	if (s->bt.json)
		bt_show_count(run_output(r), "attached_probes", "probes", n);
	else if (s->bt.old && output_for_people(run_output(r)))
		output_picture(run_output(r), line, (size_t)snprintf(line, sizeof(line),
			"Attaching %u probe%s...\n", n, n == 1 ? "" : "s"));
	else
		fprintf(sink_err(), "Attached %u probe%s\n", n, n == 1 ? "" : "s");
}

/* Runs all iterators, in their order. A script without other probes is over then. */
static int walk(struct run *r, struct error *err)
{
	struct state *s = run_state(r);
	bool waits = false, walked = false;

	if (bt_own_walk(&s->run, err))
		return -1;
	for (const struct bt_probe *p = s->bt.probes; p; p = p->next) {
		waits |= p->when != BT_BEGIN && p->when != BT_END && !bt_goes_through(p);
		walked |= bt_goes_through(p);
	}
	/* Older versions waited for Ctrl-C behind BEGIN. */
	if (!waits && (walked || !s->bt.old))
		run_end(r);
	return 0;
}

/* Returns true if there are iterators of the kernel, which the engine runs. */
static bool walks_late(const struct bt *b)
{
	const struct bt_probe *p = b->probes;

	while (p && !p->on->probe.iterator)
		p = p->next;
	return p;
}

/* BEGIN, and iter that no engine runs, come before all events. */
static int opened(struct run *r, struct error *err)
{
	struct state *s = run_state(r);

	if (bt_exported_open(&s->run, err) || bt_own_open(&s->run, err))
		return -1;
	if (s->bt.old)
		tell_attached(r);
	bt_own_run(&s->run, BT_BEGIN);
	/* Attaching may take a while. */
	output_flush(run_output(r));
	return walks_late(&s->bt) ? 0 : walk(r, err);
}

static int started(struct run *r, struct error *err)
{
	const struct state *s = run_state(r);
	bool zeros = false;

	bt_own_signals(&s->run);	/* a command of -c is there already, and gets its own */
	for (unsigned int i = 0;
	     i < s->bt.warnings.n && !s->bt.silent; i++)
		fprintf(sink_err(), "%s\n", s->bt.warnings.list[i]);
	if (s->bt.settings.max_strlen > BT_STRLEN_MOST)
		run_note(r, "strings have %d characters at most here, and not %llu (max_strlen)",
			 BT_STRLEN_MOST, (unsigned long long)s->bt.settings.max_strlen);
	for (const struct bt_probe *p = s->bt.probes; p; p = p->next) {
		if (p->when != BT_KERNEL || p->frequency || p->on->probe.raw || bt_goes_through(p))
			continue;
		probe_started(r, &p->on->probe);
		probe_zeros(r, &p->on->probe, &zeros);
	}
	if (!s->bt.old)
		tell_attached(r);
	return walks_late(&s->bt) ? walk(r, err) : 0;
}

static void record(struct run *r, const struct record *record)
{
	struct state *s = run_state(r);

	if (record->size >= sizeof(struct bt_record))
		bt_order_record(&s->run, record);
}

static int64_t due(struct run *r, int64_t now)
{
	struct state *s = run_state(r);

	return bt_own_due(&s->run, now);
}

static void add_failures(void *arg, const void *key, const void *value)
{
	uint64_t *const failures = arg, n;
	uint32_t i;

	memcpy(&i, key, sizeof(i));
	memcpy(&n, value, sizeof(n));
	failures[i < BT_FAILED ? i : BT_UNREADABLE] += n;
}

/* {"type": "lost_events", ...}; for people sonde itself says it. */
static void tell_lost(struct run *r)
{
	const uint64_t n = run_stats(r).lost;

	if (n)
		bt_show_count(run_output(r), "lost_events", "events", n);
}

/*
 * Loops were left before their end. Their actions ended there, so what they print is missing and
 * not wrong, but maps that they change have too little.
 */
static void tell_endless(struct run *r, uint64_t of_probes, uint64_t own)
{
	const struct state *s = run_state(r);
	char maps[120];
	struct strbuf list = strbuf_over(maps, sizeof(maps));
	struct error err;

	for (const struct bt_map *m = s->bt.maps; m; m = m->next)
		if (own ? m->changed_by_own : m->changed_by_kernel)
			strbuf_addf(&list, "%s %s", list.n ? "" :
				    ", and these maps are not complete:", m->name);
	if (own)
		fail(&err, "bt: sonde was told to end while a loop of BEGIN, END, interval or iter "
		     "went on. The action ended there: its output behind the loop is "
		     "missing%s", maps);
	else
		fail(&err, "bt: %llu times a loop of a probe was left before its end: the kernel "
		     "makes 8388607 iterations at most, and sonde's own machine goes no further "
		     "when sonde is to end. The actions ended there: their output behind the loop "
		     "is missing%s\nmake the loop shorter, or try --backend perf",
		     (unsigned long long)of_probes, maps);
	run_fail(r, &err);
}

static void finish(struct run *r)
{
	struct state *s = run_state(r);
	uint64_t failures[BT_FAILED] = { };
	struct error err;

	bt_own_run(&s->run, BT_END);
	if (output_for_people(run_output(r)) && !s->bt.json)
		output_picture(run_output(r), "\n\n", 2);
	if (s->bt.settings.print_maps_on_exit && !s->run.exports)
		bt_orders_end(&s->run);
	if (s->bt.json)
		tell_lost(r);
	if (run_key(r, bt_programs.maps[BT_FAILURES].name))
		run_take(r, bt_programs.maps[BT_FAILURES].name, add_failures, failures, &err);
	failures[BT_UNREADABLE] += s->run.failures;
	if (failures[BT_UNREADABLE])
		run_note(r, "%llu values could not be read or computed (unreadable memory, a "
			 "division by 0): they are 0, and left out of sums and histograms",
			 (unsigned long long)failures[BT_UNREADABLE]);
	if (failures[BT_ENDLESS] + s->run.endless)
		tell_endless(r, failures[BT_ENDLESS], s->run.endless);
	if (s->run.late)
		run_note(r, "%llu runs of intervals were left out: they take longer than they "
			 "are apart", (unsigned long long)s->run.late);
	if (s->run.unread)
		run_note(r, "iter could not read the files or mappings of %llu tasks (permission "
			 "denied): they are missing", (unsigned long long)s->run.unread);
	if (s->run.full)
		run_note(r, "%llu entries of BEGIN, END, interval or iter had no room in a full "
			 "map", (unsigned long long)s->run.full);
}

static int metrics(struct run *r, struct error *err)
{
	struct state *s = run_state(r);

	(void)err;
	bt_exported_add(&s->run);
	return 0;
}

static void cleanup(struct run *r)
{
	struct state *s = run_state(r);

	bt_exports_free(s->run.exports);
	bt_free(&s->bt);
	pool_free(&s->run.stacks);
	bt_own_free(&s->run);
	bt_joins_free(&s->run);
	bt_text_free(&s->run.line);
	free(s->words);
	free(s->command);
	free(s->command_words);
	free(s->arguments);
	free(s->text);
}

/* support: bpf: full (4.6) | bpf: full (4.7) | perf, ftrace: full | perf, ftrace: full */
TOOL(bt, "functions", "run scripts in bpftrace's language",
	.asks = "-e k:vfs_read{@=count()}",
	.also = "functions of programs",
	.asks_tracepoint = "-e t:sched:sched_switch{@=count()}",
	.shape = SHAPE_EVENTS,
	.programs = &bt_programs,
	.options = options,
	.options_size = sizeof(struct bt_options),
	.columns = columns,
	.notes = "Each script of bpftrace's within this language runs unchanged; bt(8) describes "
		 "the language.",
	.examples = examples,
	.state_size = sizeof(struct state),
	.prepare = prepare,
	.opened = opened,
	.started = started,
	.record = record,
	.due = due,
	.finish = finish,
	.metrics = metrics,
	.cleanup = cleanup,
);
