// SPDX-License-Identifier: GPL-2.0
/*
 * A run from its command line to its last line: choose an engine, attach, loop, and say at the end what was lost.
 */
#include "src/session.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "backends/find.h"
#include "backends/tracefs.h"
#include "compat/binaries.h"
#include "compat/offsets.h"
#include "insns/disasm.h"
#include "src/heat.h"
#include "src/run.h"

#define NS 1000000000LL
#define POLL_MS 100		/* how long a record may wait to be printed */

/* What a signal handler needs. */
static volatile sig_atomic_t stop_signal;
static volatile sig_atomic_t child_ended;

static void on_signal(int number)
{
	if (number == SIGCHLD)
		child_ended = 1;
	else
		stop_signal = number;
}

static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };
	struct sigaction action = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		/* A shell that starts jobs in the background has them ignore SIGINT: being asked to end is still heard. */
		sigaction(signals[i], &action, NULL);
	}
	signal(SIGPIPE, SIG_IGN);
}

static int64_t now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * NS + t.tv_nsec;
}

/* Text that was built line by line, behind a prefix on each line. */
static void print_lines(FILE *file, const char *prefix, const char *lines)
{
	while (lines && *lines) {
		size_t n = strcspn(lines, "\n");

		fprintf(file, "%s%.*s\n", prefix, (int)n, lines);
		lines += n + (lines[n] == '\n');
	}
}

/* Members of structs that events wanted and nobody knows; programs and libraries that could not be probed. */
static void print_unknown(const struct run *r, FILE *file, const char *prefix)
{
	char *lines = offsets_unknown(r->kernel);

	print_lines(file, prefix, lines);
	free(lines);
	print_lines(file, prefix, kernel_binaries_left_out(r->kernel));
}

static bool wanted_backend(const struct run *r, const struct backend *b)
{
	const char *name = option_text(r->options, "backend");

	return !name || !strcmp(name, b->name);
}

/* Why an engine was not taken, kept for -v and for the case that none can be. */
static void keep_reason(struct error *all, const struct backend *b, const char *why)
{
	size_t have = strlen(all->text);
	bool first = true;

	while (*why && have + 1 < sizeof(all->text)) {
		size_t n = strcspn(why, "\n");

		have += (size_t)snprintf(all->text + have, sizeof(all->text) - have, "%s%-7s %.*s", have ? "\n" : "",
					 first ? b->name : "", (int)n, why);
		first = false;
		why += n + (why[n] == '\n');
	}
}

/* The plan for one engine; -1 and why it can't be. */
static int make_plan(struct run *r, const struct backend *b, struct error *why)
{
	struct plan_request request = run_request(r);
	const char *unusable = b->unusable(r->kernel);

	if (unusable)
		return fail(why, "%s", unusable);
	if (plan_make(&request, b->target, &r->plan, why))
		return -1;
	return b->refuse ? b->refuse(r->kernel, &r->plan.plan, why) : 0;
}

/* Events are file descriptors: perf's a probe and a CPU. Few are allowed to those who do not ask for more. */
static void allow_files(struct run *r)
{
	struct rlimit more;

	if (getrlimit(RLIMIT_NOFILE, &r->files))
		return;
	more = (struct rlimit){ r->files.rlim_max, r->files.rlim_max };
	setrlimit(RLIMIT_NOFILE, &more);
}

/* Tables are large and mostly empty: where everybody gets huge pages, one entry here and there would take 2 MB each. */
static void keep_pages_small(struct run *r)
{
	r->huge_pages = !prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) && !prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
}

/* The first engine that can serve the tool, attached. */
static int open_engine(struct run *r, struct error *err)
{
	struct engine_options o = {
		.buffer_pages = (unsigned int)option_number(r->options, "buffer-pages"),
		.verbose = option_number(r->options, "verbose") ? stderr : NULL,
	};
	struct error all = { };

	allow_files(r);
	keep_pages_small(r);
	tracefs_sweep(r->kernel);
	for (const struct backend *const *b = backends; *b; b++) {
		struct error why = { };

		if (!wanted_backend(r, *b))
			continue;
		if (!make_plan(r, *b, &why)) {
			offsets_done(r->kernel);
			r->backend = *b;
			r->engine = (*b)->open(r->kernel, &r->plan.plan, &o, &why);
			if (r->engine)
				break;
		}
		plan_free(&r->plan);
		keep_reason(&all, *b, why.text);
	}
	if (!r->engine)
		return fail(err, "%s can't run here:\n%s\n`sonde features` shows what this kernel has",
			    r->tool->name, all.text);
	if (o.verbose) {
		if (*all.text)
			print_lines(stderr, "sonde: not ", all.text);
		fprintf(stderr, "sonde: engine %s\n", r->backend->name);
		print_lines(stderr, "sonde: ", r->plan.resolution.chosen);
		print_lines(stderr, "sonde: not to be had here: ", r->plan.resolution.missing);
		print_unknown(r, stderr, "sonde: ");
	}
	if (r->plan.resolution.no_compat)
		run_note(r, "32-bit processes are not seen: this kernel's system call events leave them out");
	return 0;
}

/* --exec: made when the probes are on, so that they see whose child it is; it waits until it is followed. */
static int start_command(struct run *r, struct error *err)
{
	char *const *command = option_command(r->options);
	static const uint32_t one = 1;
	uint32_t pid;
	int go[2], gone[2];

	if (!command)
		return 0;
	if (pipe2(go, O_CLOEXEC) || pipe2(gone, O_CLOEXEC | O_NONBLOCK))
		return fail(err, "can't make a pipe for the command: %s", strerror(errno));
	r->child = fork();
	if (r->child < 0)
		return fail(err, "can't start the command: %s", strerror(errno));
	if (!r->child) {
		char c;

		close(go[1]);
		if (read(go[0], &c, 1) != 1)
			_exit(1);
		signal(SIGPIPE, SIG_DFL);
		setrlimit(RLIMIT_NOFILE, &r->files);
		if (r->huge_pages)
			prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
		execvp(command[0], command);
		fprintf(stderr, "sonde: can't run %s: %s\n", command[0], strerror(errno));
		_exit(write(gone[1], "", 1) == 1 ? 127 : 126);
	}
	close(go[0]);
	close(gone[1]);
	r->child_go = go[1];
	r->child_failed = gone[0];
	pid = (uint32_t)r->child;
	return run_set(r, MAP_FAMILY, &pid, &one, err);
}

static void release_command(struct run *r)
{
	if (!r->child)
		return;
	if (write(r->child_go, "", 1) != 1)
		fprintf(stderr, "sonde: the command ended before it began\n");
	close(r->child_go);
}

static void record(void *arg, const void *record, uint32_t size)
{
	struct run *r = arg;

	if (!r->ended && r->tool->record)
		r->tool->record(r, record, size);
}

static void flush(struct run *r)
{
	if (output_flush(r->output)) {
		r->gone = true;
		r->ended = true;
		if (errno != EPIPE) {
			r->failed = true;
			fail(&r->error, "%s: can't write the output: %s", r->tool->name, strerror(errno));
		}
	}
}

static int end_interval(struct run *r, struct error *err)
{
	int64_t now = now_ns(CLOCK_MONOTONIC);

	r->interval_clock = now_ns(CLOCK_REALTIME);
	r->interval_length = now - r->interval_began;
	r->interval_began = now;
	if (r->tool->interval_end && r->tool->interval_end(r, err))
		return -1;
	heat_interval(r);
	flush(r);
	return 0;
}

/* When the loop has something else to do than to poll. */
struct schedule {
	int64_t interval, next;		/* ns; interval 0: none */
	int64_t left;			/* intervals to come; 0: no end */
	int64_t end;			/* of --duration; INT64_MAX: none */
};

static struct schedule make_schedule(const struct run *r)
{
	int64_t now = now_ns(CLOCK_MONOTONIC), duration = option_number(r->options, "duration");
	struct schedule s = { .end = duration ? now + duration * NS : INT64_MAX, .next = INT64_MAX };

	s.interval = option_number(r->options, "interval") * NS;
	if (!s.interval)
		s.interval = r->tool->interval * NS;
	if (!s.interval && r->heat)
		s.interval = NS;	/* a map of one column is none */
	if (r->tool->shape == SHAPE_INTERVALS)
		s.left = option_number(r->options, "count");
	if (s.interval)
		s.next = now + s.interval;
	return s;
}

static int time_left_ms(const struct schedule *s)
{
	int64_t until = s->next < s->end ? s->next : s->end, left = until - now_ns(CLOCK_MONOTONIC);

	if (left <= 0)
		return 0;
	return left / 1000000 + 1 < POLL_MS ? (int)(left / 1000000 + 1) : POLL_MS;
}

static bool command_ended(struct run *r)
{
	char c;

	if (!r->child || !child_ended)
		return false;
	child_ended = 0;
	if (waitpid(r->child, NULL, WNOHANG) != r->child)
		return false;
	r->child = 0;
	if (read(r->child_failed, &c, 1) == 1) {
		r->failed = true;
		fail(&r->error, "the command did not run");
	}
	return true;
}

static int loop(struct run *r, struct error *err)
{
	struct schedule s = make_schedule(r);

	r->interval_began = now_ns(CLOCK_MONOTONIC);
	while (!r->ended && !stop_signal) {
		int64_t now;

		if (r->backend->poll(r->engine, time_left_ms(&s), record, r, err) < 0)
			return -1;
		heat_poll(r);
		flush(r);
		now = now_ns(CLOCK_MONOTONIC);
		if (now >= s.end || command_ended(r))
			break;
		if (now < s.next)
			continue;
		if (s.left == 1)
			break;		/* the last one is taken once all events are in */
		if (end_interval(r, err))
			return -1;
		s.left -= s.left > 0;
		while (s.next <= now)
			s.next += s.interval;
	}
	return 0;
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* What some probes tell is said, even where others tell nothing. */
static bool tells_missed(const struct engine_stats *s)
{
	return s->missed_known || s->missed;
}

static void say_losses(const struct run *r, const struct engine_stats *s)
{
	const struct { uint64_t n; const char *what; } losses[] = {
		{ s->lost, "lost between the kernel and sonde (--buffer-pages N makes the buffers larger)" },
		{ s->late, "came too late to be put in order, and left out" },
		{ s->full, "had no room in a map" },
		{ s->missed, "never reached the program: the kernel skipped the probe" },
		{ s->strings, "had text that was gone before it was read" },
	};

	for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++)
		if (losses[i].n)
			fprintf(stderr, "sonde: %s: %llu event%s %s\n", r->tool->name, (unsigned long long)losses[i].n,
				plural(losses[i].n), losses[i].what);
	if (s->uncovered)
		fprintf(stderr, "sonde: %s: a CPU that came online was not traced for %llu ms\n", r->tool->name,
			(unsigned long long)(s->uncovered + 999999) / 1000000);
	if (option_number(r->options, "verbose")) {
		fprintf(stderr, "sonde: seen %llu, lost %llu", (unsigned long long)s->seen, (unsigned long long)s->lost);
		fprintf(stderr, tells_missed(s) ? ", missed %llu\n" : ", missed: not counted by this kernel\n",
			(unsigned long long)s->missed);
	}
}

/* Splits lines into a NULL-terminated list; both are the caller's to free. */
static const char **split(char *lines)
{
	size_t n = 1;
	const char **list;

	for (const char *s = lines; s && *s; s++)
		n += *s == '\n';
	list = calloc(n + 1, sizeof(*list));
	n = 0;
	for (char *line = lines ? strtok(lines, "\n") : NULL; list && line; line = strtok(NULL, "\n"))
		list[n++] = line;
	return list;
}

static void end_output(struct run *r, const struct engine_stats *s)
{
	char *hooks = strdup(r->plan.resolution.chosen ? r->plan.resolution.chosen : "");
	char *missing = strdup(r->plan.resolution.missing ? r->plan.resolution.missing : "");
	const char **hook_list = split(hooks), **missing_list = split(missing);
	struct output_end end = {
		.tool = r->tool->name, .engine = r->backend->name, .hooks = hook_list, .missing = missing_list,
		.seen = s->seen, .lost = s->lost, .late = s->late, .full = s->full, .missed = s->missed,
		.strings = s->strings, .missed_known = tells_missed(s), .untraced_ms = (s->uncovered + 999999) / 1000000,
	};

	if (hook_list && missing_list)
		output_end(r->output, &end);
	free(hook_list);
	free(missing_list);
	free(hooks);
	free(missing);
}

/* Everything that happened before the end is delivered and printed before the slow part, detaching, begins. */
static int finish(struct run *r, struct error *err)
{
	struct engine_stats s = { };
	int n, result = 0;

	r->backend->stop(r->engine);
	do {
		n = r->backend->poll(r->engine, 0, record, r, err);
	} while (n > 0 && !r->gone);
	if (n < 0)
		result = -1;
	if (!r->gone) {
		if (!result && end_interval(r, err))
			result = -1;
		if (r->tool->finish)
			r->tool->finish(r);
	}
	if (heat_end(r, err))
		result = -1;
	r->backend->stats(r->engine, &s);
	if (!r->gone) {
		end_output(r, &s);
		flush(r);
	}
	say_losses(r, &s);
	return result;
}

static int traced(struct run *r, struct error *err)
{
	int result;

	if (run_fill_filter(r, err) || r->backend->start(r->engine, err) || start_command(r, err))
		return -1;
	if (r->tool->started && r->tool->started(r, err))
		return -1;
	r->wall_offset = now_ns(CLOCK_REALTIME) - now_ns(CLOCK_MONOTONIC);
	if (r->tool->banner)
		output_line(r->output, "%s", r->tool->banner);
	if (!r->tool->tables)
		output_header(r->output);
	flush(r);
	if (option_number(r->options, "verbose"))
		fprintf(stderr, "sonde: tracing\n");
	heat_begin(r);
	release_command(r);
	result = loop(r, err);
	/* What was traced until an engine failed is still true, and is printed. */
	if (finish(r, result ? NULL : err))
		result = -1;
	return result;
}

static enum output_format format_of(const struct options *o)
{
	return option_number(o, "json") ? OUTPUT_JSON : option_number(o, "csv") ? OUTPUT_CSV : OUTPUT_TEXT;
}

/* The first target of the wanted engines whose plan can be made, shown instead of run. */
static int dump_plan(struct run *r, struct error *err)
{
	struct plan_request request = run_request(r);
	struct error all = { };

	for (const struct backend *const *b = backends; *b; b++) {
		struct error why = { };

		if (!wanted_backend(r, *b))
			continue;
		if (plan_make(&request, (*b)->target, &r->plan, &why) ||
		    ((*b)->refuse && (*b)->refuse(r->kernel, &r->plan.plan, &why))) {
			keep_reason(&all, *b, why.text);
			plan_free(&r->plan);
			continue;
		}
		printf("engine %s\n", (*b)->name);
		print_lines(stdout, "", r->plan.resolution.chosen);
		print_lines(stdout, "not to be had here: ", r->plan.resolution.missing);
		print_unknown(r, stdout, "");
		for (unsigned int i = 0; i < r->plan.plan.n_maps; i++) {
			const struct map *m = &r->plan.plan.maps[i];

			printf("map %s: key %u, value %u, entries %u\n", m->name, m->key_size, m->value_size, m->entries);
		}
		for (unsigned int i = 0; i < r->plan.plan.n_attachments; i++) {
			const struct attachment *a = &r->plan.plan.attachments[i];

			printf("\n%s%s%s%s%s\n", a->event->system, *a->event->system ? ":" : "", a->event->name,
			       a->event->fetch ? " " : "", a->event->fetch ? a->event->fetch : "");
			if (a->program)
				dump(stdout, a->program, &a->code, r->plan.plan.maps);
		}
		return 0;
	}
	return fail(err, "%s can't run on this kernel:\n%s", r->tool->name, all.text);
}

static int run_tool(struct run *r, struct error *err)
{
	const char *snapshot = option_text(r->options, "snapshot"), *without = option_text(r->options, "without");

	r->kernel = snapshot ? kernel_snapshot(snapshot, err) : kernel_running();
	if (!r->kernel)
		return snapshot ? -1 : fail(err, "out of memory");
	kernel_set_finder(r->kernel, snapshot ? NULL : find_offsets);
	if ((without && kernel_without(r->kernel, without, err)) || run_prepare(r, err)) {
		r->misused = !r->unfit;
		return -1;
	}
	if (r->ended)
		return 0;
	if (option_number(r->options, "dump"))
		return dump_plan(r, err);
	if (snapshot)
		return fail(err, "%s: --snapshot goes with --dump: another kernel can't be traced from here",
			    r->tool->name);
	catch_signals();
	if (heat_open(r, err) || open_engine(r, err))
		return -1;
	r->output = output_new(stdout, format_of(r->options), r->tool->columns, run_shown, r);
	if (!r->output)
		return fail(err, "out of memory");
	return traced(r, err);
}

int session_main(const struct tool *t, int argc, char **argv)
{
	struct run *r = calloc(1, sizeof(*r));
	struct error err = { };
	int status = 0;

	if (!r)
		return 1;
	r->tool = t;
	switch (options_parse(t, argc, argv, &r->options, &err)) {
	case ACTION_HELP:
		options_help(t, stdout);
		break;
	case ACTION_VERSION:
		puts("sonde " SONDE_VERSION);
		break;
	case ACTION_USAGE_ERROR:
		fprintf(stderr, "sonde: %s\n", err.text);
		status = 2;
		break;
	case ACTION_RUN:
		if (run_tool(r, &err)) {
			fprintf(stderr, "sonde: %s\n", err.text);
			status = r->misused ? 2 : 1;
		} else if (r->failed) {
			fprintf(stderr, "sonde: %s\n", r->error.text);
			status = 1;
		}
		if (r->engine)
			r->backend->close(r->engine);
		break;
	}
	run_free(r);
	free(r);
	return status;
}

int session_verdict(const struct tool *t, struct kernel *k, struct tool_verdict *v)
{
	struct run *r = calloc(1, sizeof(*r));
	char *argv[] = { (char *)t->name, NULL };
	struct error err = { }, all = { };

	memset(v, 0, sizeof(*v));
	if (!r)
		return -1;
	r->tool = t;
	r->kernel = k;
	if (options_parse(t, 1, argv, &r->options, &err) != ACTION_RUN || run_prepare(r, &err)) {
		keep_reason(&all, backends[0], err.text);
		goto out;
	}
	for (const struct backend *const *b = backends; *b && !v->engine; b++) {
		struct error why = { };

		if (make_plan(r, *b, &why)) {
			keep_reason(&all, *b, why.text);
		} else {
			v->engine = (*b)->name;
			v->hooks = r->plan.resolution.chosen ? strdup(r->plan.resolution.chosen) : NULL;
			v->missing = r->plan.resolution.missing ? strdup(r->plan.resolution.missing) : NULL;
			v->no_compat = r->plan.resolution.no_compat;
		}
		plan_free(&r->plan);
	}
out:
	v->why = *all.text ? strdup(all.text) : NULL;
	r->kernel = NULL;
	run_free(r);
	free(r);
	return 0;
}

void tool_verdict_free(struct tool_verdict *v)
{
	free(v->hooks);
	free(v->missing);
	free(v->why);
	memset(v, 0, sizeof(*v));
}
