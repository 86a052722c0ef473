// SPDX-License-Identifier: GPL-2.0
/*
 * `sonde selftest`: its command line and its output: the machine, a line for each cell, and how
 * many cells had which verdict.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "backends/tracefs/detach.h"
#include "backends/tracefs/tracefs.h"
#include "compat/base/clock.h"
#include "compat/base/jsonw.h"
#include "compat/kernel/kernel.h"
#include "compat/probing/running.h"
#include "compat/report/report.h"
#include "src/commands/selftest/runner.h"
#include "src/lib/output/output.h"
#include "src/lib/output/sink.h"
#include "src/run/other_names.h"
#include "src/run/stop.h"
#include "src/run/tool.h"

#define WITHOUTS 8
#define DETACH_MS 10000
#define VERDICTS (VERDICT_WRONG + 1)

struct command_line {
	const char *backend;
	char *without[2 * WITHOUTS + 1];	/* "--without", LIST, ... */
	int n_without;
	const struct tool **tools;		/* NULL-terminated; the caller frees */
	bool json, verbose, help;
};

struct counts {
	unsigned int cells, verdicts[VERDICTS], unchecked;
};

static void print_help(FILE *file)
{
	fputs("selftest: run the tools on a small known workload here, and compare it with their "
	      "output\n"
	      "Usage: sonde selftest [TOOL...] [options]\n\n"
	      "      --backend bpf|perf|ftrace  with this engine only\n"
	      "      --without FEATURE,...      behave as on a kernel that lacks these\n"
	      "      --json                     JSON, an object a line\n"
	      "  -v, --verbose                  show the hooks, and how much was compared\n"
	      "  -h, --help                     this text\n\n"
	      "Verdicts: ok; degraded: right, but something is missing here, or was reported\n"
	      "          as lost; not here: the engine can't serve the tool, or the machine\n"
	      "          can't run it; WRONG: the tool shows something else than was done.\n"
	      "          The reason follows.\n"
	      "Writes only to its own folder in TMPDIR (or /tmp), and needs no network.\n"
	      "The exit status is 1 if something is WRONG.\n\n"
	      "Examples: sonde selftest                 all tools on all engines\n"
	      "          sonde selftest --json          the same for a bug report\n", file);
}

static int usage(const char *format, const char *what)
{
	fputs("sonde: selftest: ", sink_err());
	fprintf(sink_err(), format, what);
	fputs("\n`sonde help selftest` lists its options\n", sink_err());
	return 2;
}

static bool known_backend(const char *name)
{
	for (const struct backend *const *b = backends; *b; b++)
		if (!strcmp((*b)->name, name))
			return true;
	return false;
}

/*
 * The value of an option, after = or in the next argument; NULL: it is not this option, or the
 * value is missing.
 */
static const char *value_of(char **argv, int *i, const char *name)
{
	size_t n = strlen(name);

	if (!strncmp(argv[*i], name, n) && argv[*i][n] == '=')
		return argv[*i] + n + 1;
	return !strcmp(argv[*i], name) && argv[*i + 1] ? argv[++*i] : NULL;
}

/* 0, or the exit status. */
static int parse(int argc, char **argv, struct command_line *c)
{
	struct error err = { };
	unsigned int n = 0;

	c->tools = calloc((size_t)argc + 1, sizeof(*c->tools));
	if (!c->tools)
		return usage("%s", "out of memory");
	for (int i = 1; i < argc; i++) {
		const char *value;

		if (!strcmp(argv[i], "--json")) {
			c->json = true;
		} else if (!strcmp(argv[i], "-v") || !strcmp(argv[i], "--verbose")) {
			c->verbose = true;
		} else if (!strcmp(argv[i], "-h") || !strcmp(argv[i], "--help")) {
			c->help = true;
		} else if ((value = value_of(argv, &i, "--backend"))) {
			c->backend = value;
			if (!known_backend(value))
				return usage("there is no engine %s; there are bpf, perf and "
					     "ftrace", value);
		} else if ((value = value_of(argv, &i, "--without"))) {
			if (c->n_without == 2 * WITHOUTS)
				return usage("--without %s: the option was given too often; put "
					     "commas between features instead", value);
			c->without[c->n_without++] = "--without";
			c->without[c->n_without++] = (char *)value;
		} else if (argv[i][0] == '-') {
			return usage("there is no option %s, or its value is missing", argv[i]);
		} else {
			c->tools[n] = tool_asked(argv[i], &err);
			if (!c->tools[n++])
				return usage("%s", err.text);
		}
	}
	return 0;
}

/* ---- the machine ---- */

static const char *container(void)
{
	const char *said = getenv("container");

	if (!access("/.dockerenv", F_OK))
		return "docker";
	if (!access("/run/.containerenv", F_OK))
		return "podman";
	return said && *said ? said : NULL;
}

/* What a maintainer asks for first. */
struct machine {
	struct utsname u;
	long cpus, page;
	unsigned long long memory_mb;
	unsigned int user;
	const char *container;		/* NULL: none is known */
	bool foreign;
};

static struct machine this_machine(bool foreign)
{
	struct machine m = {
		.cpus = sysconf(_SC_NPROCESSORS_ONLN),
		.page = sysconf(_SC_PAGESIZE),
		.user = geteuid(),
		.container = container(),
		.foreign = foreign,
	};
	struct sysinfo info = { };

	uname(&m.u);
	sysinfo(&info);
	m.memory_mb = (unsigned long long)info.totalram * info.mem_unit >> 20;
	return m;
}

static void text_head(struct kernel *k, const struct command_line *c, const struct machine *m)
{
	char value[128];

	fprintf(sink_out(), "%-27s%s (%zu bits)\n", "sonde", SONDE_VERSION, 8 * sizeof(void *));
	fprintf(sink_out(), "%-27s%s %s\n", "kernel", m->u.release, m->u.machine);
	fprintf(sink_out(), "%-27s%ld CPU%s, %llu MB, pages of %ld bytes\n", "machine", m->cpus,
		m->cpus == 1 ? "" : "s", m->memory_mb, m->page);
	fprintf(sink_out(), "%-27suser %u%s%s, %s pid namespace\n", "run by", m->user,
		m->container ? ", in " : "", m->container ? m->container : "",
		m->foreign ? "its own" : "the initial");
	for (unsigned int i = 0; setting_name(i); i++)
		fprintf(sink_out(), "%-27s%s\n", setting_name(i),
			setting_value(k, i, value, sizeof(value)));
	for (int i = 1; i < c->n_without; i += 2)
		fprintf(sink_out(), "%-27s%s\n", "--without", c->without[i]);
	fputc('\n', sink_out());
}

static void json_head(struct kernel *k, const struct command_line *c, const struct machine *m)
{
	struct jsonw w = { .to = sink_out() };
	char value[128];

	jsonw_open(&w, NULL, '{');
	jsonw_text(&w, "sonde", SONDE_VERSION);
	jsonw_unsigned(&w, "bits", 8 * sizeof(void *));
	jsonw_text(&w, "kernel", m->u.release);
	jsonw_text(&w, "version", m->u.version);
	jsonw_text(&w, "machine", m->u.machine);
	jsonw_integer(&w, "cpus", m->cpus);
	jsonw_unsigned(&w, "memory_mb", m->memory_mb);
	jsonw_integer(&w, "page_size", m->page);
	jsonw_unsigned(&w, "uid", m->user);
	jsonw_text(&w, "container", m->container);
	jsonw_bool(&w, "initial_pid_namespace", !m->foreign);
	jsonw_open(&w, "without", '[');
	for (int i = 1; i < c->n_without; i += 2)
		jsonw_text(&w, NULL, c->without[i]);
	jsonw_close(&w, ']');
	jsonw_open(&w, "settings", '{');
	for (unsigned int i = 0; setting_name(i); i++)
		jsonw_text(&w, setting_name(i), setting_value(k, i, value, sizeof(value)));
	jsonw_close(&w, '}');
	jsonw_end(&w);
}

/* ---- cells ---- */

static void json_cell(const char *tool, const char *backend, const struct cell *c,
		      const char *verdict, int64_t ms)
{
	struct jsonw w = { .to = sink_out() };

	jsonw_open(&w, NULL, '{');
	jsonw_text(&w, "tool", tool);
	jsonw_words(&w, "backend", backend);
	jsonw_words(&w, "verdict", verdict);
	jsonw_words(&w, "why", *c->why ? c->why : c->note);
	jsonw_words(&w, "hooks", c->hooks);
	jsonw_integer(&w, "wanted", c->wanted);
	jsonw_integer(&w, "got", c->got);
	jsonw_integer(&w, "lost", c->lost);
	jsonw_integer(&w, "ms", ms);
	jsonw_end(&w);
}

static void print_cell(const struct command_line *o, const char *tool, const char *backend,
		       const struct cell *c, const char *verdict, int64_t ms)
{
	const char *why = *c->why ? c->why : c->note;
	/* Of the reasons why it is not here, the first one is enough. */
	bool first = c->verdict == VERDICT_NOT_HERE && !o->verbose;
	size_t shown = first ? strcspn(why, ";") : strlen(why);

	if (o->json) {
		json_cell(tool, backend, c, verdict, ms);
		return;
	}
	fprintf(sink_out(), "%-14s %-7s %s%s", tool, backend ? backend : "-", verdict,
		*why ? ": " : "");
	escape_text(sink_out(), why, shown);
	fputc('\n', sink_out());
	if (!o->verbose || (!backend && !c->wanted))
		return;
	for (const char *at = c->hooks; *at;) {
		size_t n = strcspn(at, ";");

		fprintf(sink_out(), "%23s", "");
		escape_text(sink_out(), at, n);
		fputc('\n', sink_out());
		at += n;
		at += strspn(at, "; ");
	}
	fprintf(sink_out(), "%23swanted %" PRId64 ", got %" PRId64 ", lost %" PRId64 ", %" PRId64
		" ms\n", "", c->wanted, c->got, c->lost, ms);
}

static const struct selftest *check_of(const struct tool *t)
{
	for (const struct selftest *const *s = selftests; *s; s++)
		if (!strcmp((*s)->tool, t->name))
			return *s;
	return NULL;
}

/* One cell; backend NULL: of a tool that only lists. */
static void run_tool_cell(struct runner *r, const struct command_line *o,
			  const struct selftest *check, const char *backend, struct counts *n,
			  struct cell *c)
{
	int64_t start = monotonic_ms();

	run_cell(r, check, backend, c);
	if (stop_signal)
		return;
	n->cells++;
	n->verdicts[c->verdict]++;
	print_cell(o, check->tool, backend, c, verdict_name(c->verdict), monotonic_ms() - start);
	/* The reader has closed, or the disk is full. */
	if (fflush(sink_out()))
		stop_signal = SIGPIPE;
}

static void run_tool_cells(struct runner *r, const struct command_line *o, const struct tool *t,
			   struct counts *n)
{
	const struct selftest *check = check_of(t);
	struct cell *c = calloc(1, sizeof(*c));

	if (!c)
		return;
	if (!check) {
		n->unchecked++;
		print_cell(o, t->name, NULL, c, "no check", 0);
	} else if (check->lists && !o->backend) {
		run_tool_cell(r, o, check, NULL, n, c);
	}
	for (const struct backend *const *b = backends;
	     check && !check->lists && *b && !stop_signal; b++)
		if (!o->backend || !strcmp(o->backend, (*b)->name))
			run_tool_cell(r, o, check, (*b)->name, n, c);
	free(c);
}

static void json_end(const struct counts *n)
{
	struct jsonw w = { .to = sink_out() };

	jsonw_open(&w, NULL, '{');
	jsonw_open(&w, "end", '{');
	jsonw_unsigned(&w, "checks", n->cells);
	for (int v = 0; v < VERDICTS; v++)
		jsonw_unsigned(&w, verdict_name(v), n->verdicts[v]);
	jsonw_unsigned(&w, "no check", n->unchecked);
	jsonw_close(&w, '}');
	jsonw_end(&w);
}

static void print_end(const struct command_line *o, const struct counts *n)
{
	if (o->json) {
		json_end(n);
		return;
	}
	fprintf(sink_out(), "\n%u check%s: ", n->cells, n->cells == 1 ? "" : "s");
	for (int v = 0; v < VERDICTS; v++)
		fprintf(sink_out(), "%s%u %s", v ? ", " : "", n->verdicts[v], verdict_name(v));
	if (n->unchecked)
		fprintf(sink_out(), "; %u tool%s without a check", n->unchecked,
			n->unchecked == 1 ? "" : "s");
	fputc('\n', sink_out());
}

static void catch_signals(void)
{
	stop_on_signals();
	signal(SIGPIPE, SIG_IGN);
}

static int run_all(struct kernel *k, struct command_line *o)
{
	struct folder f;
	struct runner r = {
		.folder = f.path, .name = f.name, .without = o->without, .stop = &stop_signal,
	};
	struct counts n = { };
	struct machine m;

	catch_signals();
	if (folder_make(&f))
		return 1;
	r.foreign = !kernel_has(k, FEATURE_ROOT_PIDNS);
	m = this_machine(r.foreign);
	(o->json ? json_head : text_head)(k, o, &m);
	fflush(sink_out());
	if (*o->tools)
		for (const struct tool **t = o->tools; *t && !stop_signal; t++)
			run_tool_cells(&r, o, *t, &n);
	else
		for (const struct tool *const *t = tools; *t && !stop_signal; t++)
			run_tool_cells(&r, o, *t, &n);
	if (!stop_signal)
		print_end(o, &n);
	folder_remove(&f);
	/*
	 * What the tools made is removed without us, but should not be there any more when we end.
	 */
	if (!stop_signal)
		detach_wait(k, DETACH_MS);
	if (r.killed)
		tracefs_sweep(k);
	if (fflush(sink_out()) || stop_signal == SIGPIPE)
		return 1;
	if (stop_signal) {
		signal(stop_signal, SIG_DFL);
		raise(stop_signal);
	}
	return n.verdicts[VERDICT_WRONG] ? 1 : 0;
}

int selftest_main(int argc, char **argv)
{
	struct command_line o = { };
	int status = parse(argc, argv, &o);
	struct kernel *k = status ? NULL : kernel_running();
	struct error err = { };

	if (!status && !k)
		status = 1;
	for (int i = 1; !status && i < o.n_without; i += 2) {
		if (kernel_without(k, o.without[i], &err)) {
			fprintf(sink_err(), "sonde: %s\n", err.text);
			status = 2;
		}
	}
	if (!status && o.help)
		print_help(sink_out());
	else if (!status)
		status = run_all(k, &o);
	kernel_free(k);
	free(o.tools);
	return status;
}
