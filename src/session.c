// SPDX-License-Identifier: GPL-2.0
/*
 * A run from its command line to its last line: choose an engine, attach, loop, and say at the end
 * what was lost.
 */
#include "src/session.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "backends/offsets/find.h"
#include "backends/semaphores/semaphores.h"
#include "backends/tracefs/tracefs.h"
#include "backends/tracefs/try.h"
#include "compat/base/clock.h"
#include "compat/user/binaries.h"
#include "compat/types/offsets.h"
#include "insns/programs/family.h"
#include "src/toolkit/heat.h"
#include "src/stacks/graph.h"
#include "src/stacks/hottest.h"
#include "src/stacks/stacks.h"
#include "src/output/sink.h"
#include "src/plan_dump.h"
#include "src/reasons.h"
#include "src/run.h"
#include "src/wording.h"

#define POLL_MS 100		/* how long a record may wait to be printed */

/* What a signal handler needs. */
static volatile sig_atomic_t stop_signal;
static volatile sig_atomic_t child_signal;

static void on_signal(int number)
{
	if (number == SIGCHLD) {
		child_signal = 1;
	} else {
		stop_signal = number;
		sink_hurry();
	}
}

static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };
	struct sigaction action = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		/*
		 * A shell that starts jobs in the background has them ignore SIGINT: being asked to
		 * end is still heard.
		 */
		sigaction(signals[i], &action, NULL);
	}
	signal(SIGPIPE, SIG_IGN);
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

/* Uses the lines up. */
static void print_each(FILE *file, const char *prefix, struct lines lines)
{
	for (unsigned int i = 0; i < lines.n; i++)
		fprintf(file, "%s%s\n", prefix, lines.list[i]);
	lines_free(&lines);
}

/*
 * Members of structs that events wanted and nobody knows; programs and libraries that could not be
 * probed.
 */
static void print_unknown(const struct run *r, FILE *file, const char *prefix)
{
	char *lines = offsets_unknown(r->kernel);

	print_lines(file, prefix, lines);
	free(lines);
	print_lines(file, prefix, kernel_binaries_left_out(r->kernel));
}

/* Which hooks may not see all, and why. */
static void say_doubts(const struct run *r)
{
	struct lines doubts = doubt_lines(&r->plan.resolution);

	for (unsigned int i = 0; i < doubts.n; i++)
		run_note(r, "%s", doubts.list[i]);
	lines_free(&doubts);
}

/* What was too much to be looked at is missing in all that follows. */
static void say_limits(const struct run *r)
{
	const struct lines *limits = kernel_binaries_limits(r->kernel);

	for (unsigned int i = 0; limits && i < limits->n; i++)
		run_note(r, "not probed: %s", limits->list[i]);
	if (limits && limits->more)
		run_note(r, "not probed: and %u more", limits->more);
}

static bool wanted_backend(const struct run *r, const struct backend *b)
{
	const char *name = option_text(r->options, "backend");

	return !name || !strcmp(name, b->name);
}

/* Why it can't run, in plain words. */
static int cant_run(const struct run *r, const struct reasons *why, struct error *err)
{
	char brief[900];
	bool one = reasons_brief(why, brief, sizeof(brief));

	return fail(err, "%s can't run here:%s%s\n`sonde features %s` says more", r->tool->name,
		    one ? " " : "\n", brief, r->tool->name);
}

/* Has the kernel all that this engine needs? If not, it says why not. */
static bool usable(const struct run *r, const struct backend *b, struct reasons *reasons)
{
	for (const enum feature *f = b->needs; *f != FEATURES; f++) {
		struct feature_reason why = kernel_feature_reason(r->kernel, *f);

		if (kernel_has(r->kernel, *f))
			continue;
		reasons_add_feature(reasons, b->name, &why);
		return false;
	}
	return true;
}

/* The plan for one engine; -1 and why it can't be. */
static int make_plan(struct run *r, const struct backend *b, struct error *why)
{
	struct plan_request request = run_request(r);

	return plan_make(&request, b, &r->plan, why);
}

/*
 * Events are file descriptors: perf's a probe and a CPU. Few are allowed to those who do not ask
 * for more.
 */
static void allow_files(struct run *r)
{
	struct rlimit more;

	if (getrlimit(RLIMIT_NOFILE, &r->files))
		return;
	more = (struct rlimit){ r->files.rlim_max, r->files.rlim_max };
	setrlimit(RLIMIT_NOFILE, &more);
}

/*
 * Tables are large and mostly empty: where everybody gets huge pages, one entry here and there
 * would take 2 MB each.
 */
static void keep_pages_small(struct run *r)
{
	r->huge_pages = !prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) &&
			!prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
}

/* Texts in pieces rest on zeroes; --without makes them where there are none. */
static bool unproven_pieces(const struct run *r)
{
	const struct plan *plan = &r->plan.plan;

	for (unsigned int i = 0; i < plan->n_attachments; i++)
		for (unsigned int j = 0; j < plan->attachments[i].event->layout->n_inputs; j++)
			if (plan->attachments[i].event->layout->inputs[j].place == PLACE_PIECES)
				return !kernel_has(r->kernel, FEATURE_FETCH_ZERO);
	return false;
}

/* The first engine that can serve the tool, attached. */
static int open_engine(struct run *r, struct error *err)
{
	struct engine_options o = {
		.buffer_pages = (unsigned int)option_number(r->options, "buffer-pages"),
		.verbose = option_number(r->options, "verbose") ? sink_err() : NULL,
		.unwinder = &r->unwinder,
	};
	struct reasons not = { };
	int result;

	if (stacks_unwinder(r, err))
		return -1;
	allow_files(r);
	keep_pages_small(r);
	tracefs_sweep(r->kernel);
	for (const struct backend *const *b = backends; *b; b++) {
		struct error why = { };

		if (!wanted_backend(r, *b))
			continue;
		if (stop_signal)
			break;
		if (!usable(r, *b, &not))
			continue;
		if (!make_plan(r, *b, &why)) {
			offsets_done(r->kernel);
			r->backend = *b;
			r->engine = (*b)->open(r->kernel, &r->plan.plan, &o, &why);
			if (r->engine)
				break;
		}
		reasons_add(&not, r->kernel, (*b)->name, why.text, &r->plan.resolution.refusals);
		plan_free(&r->plan);
	}
	if (o.verbose && (r->engine || !stop_signal))
		reasons_print(&not, sink_err(), "sonde: not ");
	if (r->engine)
		result = 0;
	else if (stop_signal)
		result = fail(err, "%s: ended by a signal before it traced anything",
			      r->tool->name);
	else
		result = cant_run(r, &not, err);
	reasons_free(&not);
	return result;
}

/* What was chosen, for who asks; what of it users have to know, for all. */
static void say_chosen(const struct run *r)
{
	if (option_number(r->options, "verbose")) {
		fprintf(sink_err(), "sonde: engine %s\n", r->backend->name);
		print_each(sink_err(), "sonde: ", chosen_lines(&r->plan.resolution));
		print_each(sink_err(), "sonde: unavailable here: ",
			   missing_lines(&r->plan.resolution));
		print_unknown(r, sink_err(), "sonde: ");
		if (r->plan.smaller)
			fprintf(sink_err(), "sonde: its tables are smaller than usual: this "
					    "machine has little memory\n");
	}
	say_limits(r);
	say_doubts(r);
	if (r->plan.resolution.no_compat)
		run_note(r, "calls of 32-bit programs are missing: %s",
			 kernel_has(r->kernel, FEATURE_KPROBES) ?
			 "what is traced here has only those of 64-bit programs" :
			 "without kprobes this kernel shows only those of 64-bit programs");
	if (unproven_pieces(r))
		run_note(r, "--without fetch-array: from 4.20 on probes do not tell what they "
			 "can't read from what an earlier event left: a text may be wrong");
}

/* What sonde asked for itself is not the command's. */
static void as_before(void *arg)
{
	const struct run *r = arg;

	setrlimit(RLIMIT_NOFILE, &r->files);
	if (r->huge_pages)
		prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
}

/*
 * --exec: made when the probes are on, so that they see whose child it is; it waits until it is
 * followed.
 */
static int start_command(struct run *r, struct error *err)
{
	char *const *command = option_command(r->options);
	static const uint64_t first = FAMILY_FIRST;
	uint32_t pid;

	if (!command)
		return 0;
	if (child_start(&r->child, command, as_before, r, err))
		return -1;
	pid = (uint32_t)r->child.pid;
	return run_set(r, MAP_FAMILY, &pid, &first, err);
}

static void flush(struct run *r)
{
	if (output_flush(r->output)) {
		r->gone = true;
		r->ended = true;
		if (errno != EPIPE) {
			r->failed = true;
			fail(&r->error, "%s: can't write the output: %s", r->tool->name,
			     sink_error(errno));
		}
	}
}

static int end_interval(struct run *r, struct error *err)
{
	int64_t now = clock_ns(CLOCK_MONOTONIC);

	r->interval_clock = clock_ns(CLOCK_REALTIME);
	r->interval_length = now - r->interval_began;
	r->interval_began = now;
	if (r->tool->interval_end ? r->tool->interval_end(r, err) :
	    r->tool->stacks && stacks_show(r, r->tool->stacks, err))
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
	int64_t renewal;		/* when stacks that nobody needs are looked for */
};

static struct schedule make_schedule(const struct run *r)
{
	int64_t now = clock_ns(CLOCK_MONOTONIC), duration = option_number(r->options, "duration");
	struct schedule s = {
		.end = duration ? now + duration * NS_PER_SECOND : INT64_MAX,
		.next = INT64_MAX,
	};

	s.interval = option_number(r->options, "interval") * NS_PER_SECOND;
	if (!s.interval)
		s.interval = r->tool->interval * NS_PER_SECOND;
	if (r->hottest && option_number(r->options, "top"))
		s.interval = option_number(r->options, "top") * NS_PER_SECOND;
	if (!s.interval && (r->heat || r->hottest))
		s.interval = NS_PER_SECOND;	/* a map of one column is none */
	if (r->tool->shape == SHAPE_INTERVALS)
		s.left = option_number(r->options, "count");
	if (s.interval)
		s.next = now + s.interval;
	return s;
}

static int time_left_ms(const struct schedule *s)
{
	int64_t until = s->next < s->end ? s->next : s->end;
	int64_t left = until - clock_ns(CLOCK_MONOTONIC);

	if (left <= 0)
		return 0;
	return left / 1000000 + 1 < POLL_MS ? (int)(left / 1000000 + 1) : POLL_MS;
}

static bool command_ended(struct run *r)
{
	struct child_end end = { };

	if (!child_signal)
		return false;
	child_signal = 0;
	if (!child_ended(&r->child, &end))
		return false;
	if (end.did_not_run) {
		r->failed = true;
		fail(&r->error, "the command did not run");
	}
	return true;
}

static int loop(struct run *r, struct error *err)
{
	struct schedule s = make_schedule(r);

	r->interval_began = clock_ns(CLOCK_MONOTONIC);
	while (!r->ended && !stop_signal) {
		int64_t now;

		if (r->backend->poll(r->engine, time_left_ms(&s), run_record, r, err) < 0)
			return -1;
		wall_look(&r->wall);
		heat_poll(r);
		hottest_poll(r);
		if (stacks_poll(r, err))
			return -1;
		flush(r);
		now = clock_ns(CLOCK_MONOTONIC);
		if (now >= s.end || command_ended(r))
			break;
		if (now >= s.renewal && now < s.next && stacks_renew(r, false, err))
			return -1;
		if (now >= s.renewal)
			s.renewal = now + NS_PER_SECOND;
		if (now < s.next)
			continue;
		if (s.left == 1)
			break;		/* the last one is taken once all events are in */
		if (end_interval(r, err) || stacks_renew(r, true, err))
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
		{ s->lost, "lost between the kernel and sonde (--buffer-pages N makes the buffers "
			   "larger)" },
		{ s->late, "left out: they came too late to be put in order" },
		{ s->full, "left out: a table had no room for them" },
		{ s->missed - s->switches, "left out: the kernel skipped their probe, because it "
					   "was busy with another" },
		{ s->switches, "left out: switches of tasks that the kernel did not record" },
		{ r->untimed, "could not be told from others at the same place: counted here, "
			      "without a time" },
		{ s->strings, "without a text: it was gone before it was read" },
	};

	for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++)
		if (losses[i].n)
			fprintf(sink_err(), "sonde: %s: %llu event%s %s\n", r->tool->name,
				(unsigned long long)losses[i].n,
				plural(losses[i].n), losses[i].what);
	if (s->unseen)
		fprintf(sink_err(),
			"sonde: %s: the main thread of the process ended: what its others did in "
			"user space since then is missing (--backend perf sees them)\n",
			r->tool->name);
	if (s->uncovered)
		fprintf(sink_err(),
			"sonde: %s: a CPU that came online was not traced for %llu ms\n",
			r->tool->name, (unsigned long long)(s->uncovered + 999999) / 1000000);
	if (option_number(r->options, "verbose")) {
		fprintf(sink_err(), "sonde: seen %llu, lost %llu", (unsigned long long)s->seen,
			(unsigned long long)s->lost);
		fprintf(sink_err(), tells_missed(s) ? ", missed %llu\n" :
			", missed: not counted by this kernel\n", (unsigned long long)s->missed);
	}
}

/* What this kernel does not tell, and what was not looked at. */
static struct lines all_missing(const struct run *r)
{
	const struct lines *limits = kernel_binaries_limits(r->kernel);
	struct lines missing = missing_lines(&r->plan.resolution);

	for (unsigned int i = 0; limits && i < limits->n; i++)
		lines_add(&missing, "%s", limits->list[i]);
	if (limits && limits->more)
		lines_add(&missing, "and %u more", limits->more);
	return missing;
}

static void end_output(struct run *r, const struct engine_stats *s)
{
	struct lines hooks = chosen_lines(&r->plan.resolution), missing = all_missing(r);
	static const char *const none[] = { NULL };
	struct output_end end = {
		.tool = r->tool->name, .engine = r->backend->name,
		.hooks = hooks.n ? (const char *const *)hooks.list : none,
		.missing = missing.n ? (const char *const *)missing.list : none,
		.seen = s->seen, .lost = s->lost, .late = s->late, .full = s->full,
		.missed = s->missed, .missed_known = tells_missed(s), .strings = s->strings,
		.untraced_ms = (s->uncovered + 999999) / 1000000, .untimed = r->untimed,
	};

	output_end(r->output, &end);
	lines_free(&hooks);
	lines_free(&missing);
}

/* Everything that happened before the end is delivered and printed before detaching begins. */
static int finish(struct run *r, struct error *err)
{
	struct engine_stats s = { };
	int n, result = 0;

	r->stopped = monotonic_ns();
	r->backend->stop(r->engine);
	do {
		n = r->backend->poll(r->engine, 0, run_record, r, err);
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
	hottest_end(r);
	if (graph_end(r, err))
		result = -1;
	r->backend->stats(r->engine, &s);
	if (!r->gone) {
		end_output(r, &s);
		flush(r);
	}
	say_losses(r, &s);
	stacks_end(r);
	return result;
}

static int traced(struct run *r, struct error *err)
{
	FILE *verbose = option_number(r->options, "verbose") ? sink_err() : NULL;
	int result;

	if (run_fill_filter(r, err) || stacks_open(r, err) || r->backend->start(r->engine, err) ||
	    semaphores_raise(r->kernel, &r->plan.plan, verbose, &r->semaphores, err) ||
	    start_command(r, err))
		return -1;
	if (semaphores_late(r->semaphores) && !stop_signal)
		run_note(r, "to look at all processes takes long here: probes (USDT) that programs "
			    "turn on for who traces them are still off in some");
	if (r->tool->started && r->tool->started(r, err))
		return -1;
	r->wall.on = true;
	wall_look(&r->wall);
	if (r->tool->banner)
		output_line(r->output, "%s", r->tool->banner);
	if (!r->tool->tables)
		output_header(r->output);
	flush(r);
	if (verbose)
		fprintf(verbose, "sonde: tracing\n");
	heat_begin(r);
	hottest_begin(r);
	child_release(&r->child);
	result = loop(r, err);
	/* What was traced until an engine failed is still true, and is printed. */
	if (finish(r, result ? NULL : err))
		result = -1;
	return result;
}

static enum output_format format_of(const struct options *o)
{
	if (option_number(o, "json"))
		return OUTPUT_JSON;
	return option_number(o, "csv") ? OUTPUT_CSV : OUTPUT_TEXT;
}

/* The first target of the wanted engines whose plan can be made, shown instead of run. */
static int dump_plan(struct run *r, struct error *err)
{
	struct plan_request request = run_request(r);
	struct reasons not = { };
	int result;

	for (const struct backend *const *b = backends; *b; b++) {
		struct error why = { };

		if (!wanted_backend(r, *b))
			continue;
		if (plan_make(&request, *b, &r->plan, &why)) {
			reasons_add(&not, r->kernel, (*b)->name, why.text,
				    &r->plan.resolution.refusals);
			plan_free(&r->plan);
			continue;
		}
		reasons_free(&not);
		fprintf(sink_out(), "engine %s\n", (*b)->name);
		print_each(sink_out(), "", chosen_lines(&r->plan.resolution));
		print_each(sink_out(), "unavailable here: ", missing_lines(&r->plan.resolution));
		print_each(sink_out(), "", doubt_lines(&r->plan.resolution));
		print_unknown(r, sink_out(), "");
		plan_dump(sink_out(), &r->plan.plan);
		return 0;
	}
	reasons_print(&not, sink_err(), "sonde: not ");
	result = cant_run(r, &not, err);
	reasons_free(&not);
	return result;
}

static int list(struct run *r, struct error *err)
{
	int result;

	catch_signals();
	r->output = run_output_new(r, sink_rows(), format_of(r->options));
	if (!r->output)
		return fail(err, "out of memory");
	result = r->tool->list(r, err);
	say_limits(r);
	print_unknown(r, sink_err(), "sonde: ");
	flush(r);
	return result;
}

static int run_tool(struct run *r, struct error *err)
{
	const char *snapshot = option_text(r->options, "snapshot");
	const char *without = option_text(r->options, "without");

	r->kernel = snapshot ? kernel_snapshot(snapshot, err) : kernel_running();
	if (!r->kernel)
		return snapshot ? -1 : fail(err, "out of memory");
	kernel_set_finder(r->kernel, snapshot ? NULL : find_offsets);
	kernel_set_trier(r->kernel, snapshot ? NULL : try_function);
	kernel_set_stop(r->kernel, &stop_signal);
	if ((without && kernel_without(r->kernel, without, err)) || run_prepare(r, err)) {
		r->misused = !r->unfit;
		return -1;
	}
	if (r->ended)
		return 0;
	if (r->tool->list)
		return list(r, err);
	if (option_number(r->options, "dump"))
		return dump_plan(r, err);
	if (snapshot)
		return fail(err, "%s: --snapshot goes with --dump: another kernel can't be traced "
			    "from here", r->tool->name);
	catch_signals();
	if (heat_open(r, err) || graph_open(r, err) || hottest_open(r, err) ||
	    open_engine(r, err))
		return -1;
	say_chosen(r);
	r->output = run_output_new(r, sink_rows(), format_of(r->options));
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
	r->argv = argv;
	switch (options_parse(t, argc, argv, &r->options, &err)) {
	case ACTION_HELP:
		options_help(t, sink_out());
		break;
	case ACTION_VERSION:
		fputs("sonde " SONDE_VERSION "\n", sink_out());
		break;
	case ACTION_USAGE_ERROR:
		fprintf(sink_err(), "sonde: %s\n", err.text);
		status = 2;
		break;
	case ACTION_RUN:
		if (run_tool(r, &err)) {
			fprintf(sink_err(), "sonde: %s\n", err.text);
			status = r->misused ? 2 : 1;
		} else if (r->failed) {
			fprintf(sink_err(), "sonde: %s\n", r->error.text);
			status = 1;
		}
		semaphores_lower(r->semaphores);
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
	char *argv[] = { (char *)t->name, (char *)t->asks, NULL };
	struct reasons *not = &v->why;
	struct error err = { };

	memset(v, 0, sizeof(*v));
	if (!r)
		return -1;
	r->tool = t;
	r->kernel = k;
	if (options_parse(t, t->asks ? 2 : 1, argv, &r->options, &err) != ACTION_RUN ||
	    run_prepare(r, &err)) {
		reasons_add(not, k, backends[0]->name, err.text, NULL);
		goto out;
	}
	for (const struct backend *const *b = backends; *b && !v->engine; b++) {
		struct error why = { };

		if (!usable(r, *b, not))
			continue;
		if (make_plan(r, *b, &why)) {
			reasons_add(not, k, (*b)->name, why.text, &r->plan.resolution.refusals);
		} else {
			v->engine = (*b)->name;
			v->resolution = r->plan.resolution;
			r->plan.resolution = (struct resolution){ };
		}
		plan_free(&r->plan);
	}
out:
	if (!v->engine)
		reasons_line(not, v->brief, sizeof(v->brief));
	r->kernel = NULL;
	run_free(r);
	free(r);
	return 0;
}

void tool_verdict_free(struct tool_verdict *v)
{
	resolution_free(&v->resolution);
	reasons_free(&v->why);
	memset(v, 0, sizeof(*v));
}
