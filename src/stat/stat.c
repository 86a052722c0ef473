// SPDX-License-Identifier: GPL-2.0
#include "src/stat/stat.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/probing/running.h"
#include "src/child.h"
#include "src/lib/output/sink.h"
#include "src/stat/names.h"
#include "src/stat/notes.h"
#include "src/stat/report.h"
#include "src/stat/target.h"
#include "src/stop.h"

#define LOOK_MS 100			/* CPUs come, processes end */
#define END_MS 1000			/* for a command that was asked to end */

/* A signal that is ignored would end no wait. */
static void on_child(int number)
{
	(void)number;
}

static const int signals[] = { STOP_SIGNALS, SIGCHLD };
#define N_SIGNALS (sizeof(signals) / sizeof(signals[0]))

/* What all of `sonde stat` has. */
struct stat_run {
	struct stat_options options;
	struct kernel *kernel;
	struct stat_events events;
	struct stat_target target;
	struct stat_report report;
	struct child child;
	struct child_end child_end;
	struct stat_ending ending;
	sigset_t waiting;		/* the mask while it waits */
	sigset_t before;		/* and before it began: the command's */
	int64_t began, interval_began;	/* CLOCK_MONOTONIC */
	int64_t ended;
	/* of several runs: the mean of each count; by place, then by event */
	struct stat_repeats *repeats;
	struct stat_count *counts;
	bool misused, did_not_run, titled;
	int gone;			/* errno: the counts can't be written any more */
	struct rlimit files;		/* of the command: sonde may have more */
};

/* Signals come only where it waits for them, so that none comes just before it waits. */
static void catch_signals(struct stat_run *r)
{
	const struct sigaction action = { .sa_handler = on_child };
	sigset_t all;

	sigemptyset(&all);
	for (size_t i = 0; i < N_SIGNALS; i++)
		sigaddset(&all, signals[i]);
	stop_on_signals();
	sigaction(SIGCHLD, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	sigprocmask(SIG_BLOCK, &all, &r->before);
	r->waiting = r->before;
	for (size_t i = 0; i < N_SIGNALS; i++)
		sigdelset(&r->waiting, signals[i]);
}

static void wait_until(struct stat_run *r, int64_t until)
{
	int64_t left = until - clock_ns(CLOCK_MONOTONIC);
	struct timespec most;

	left = left < 0 ? 0 : left < LOOK_MS * NS_PER_MS ? left : LOOK_MS * NS_PER_MS;
	most = (struct timespec){ .tv_nsec = left };
	ppoll(NULL, 0, &most, &r->waiting);
}

/* ---- what is counted ---- */

/* Beside the cycles of CPUs that can tell. */
static bool left_out(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), PMU_FOLDER "/cpu/events/%s", name);
	return !strncmp(name, "stalled-", 8) && access(path, F_OK);
}

static int add_defaults(struct stat_run *r, const struct stat_source *from, struct error *err)
{
	const struct stat_options *o = &r->options;
	bool tasks = o->pids.n || o->tids.n || (o->command && !o->system_wide && !o->cpus);

	for (const char *const *name = stat_defaults; *name; name++) {
		/* All of a CPU's time is not that of a task. */
		const char *its = !strcmp(*name, "task-clock") && !tasks ? "cpu-clock" : *name;

		if (!left_out(its) && stat_parse(from, its, &r->events, err))
			return -1;
	}
	return 0;
}

static int choose_events(struct stat_run *r, struct error *err)
{
	const struct stat_source from = { .kernel = r->kernel, .pmus = PMU_FOLDER };
	const struct stat_options *o = &r->options;

	for (unsigned int i = 0; i < o->events.n; i++) {
		struct error why = { };

		if (stat_parse(&from, o->events.list[i], &r->events, &why))
			return fail(err, "%s", why.text);
	}
	if (!o->events.n && add_defaults(r, &from, err))
		return -1;
	for (unsigned int i = 0; i < o->detail && i < STAT_DETAILS; i++)
		if (stat_parse(&from, stat_details[i], &r->events, err))
			return -1;
	return 0;
}

/* ---- what is shown ---- */

static unsigned int shown_places(const struct stat_run *r)
{
	return r->options.per_cpu ? r->target.counters.n_places : 1;
}

static bool place_shown(const struct stat_run *r, unsigned int place)
{
	return !r->options.per_cpu || r->target.counters.places[place].seen;
}

/* The counts of all places, since they were read before. */
static void make_counts(struct stat_run *r)
{
	const struct stat_counters *c = &r->target.counters;
	unsigned int n = r->events.n;

	for (unsigned int place = 0; place < shown_places(r); place++)
		for (unsigned int i = 0; i < n; i++) {
			struct stat_reading added =
				counters_added(c, i, r->options.per_cpu ? (int)place : -1);

			r->counts[place * n + i] =
				stat_scale(&r->events.list[i], &c->states[i], &added);
		}
}

static void flush(struct stat_run *r)
{
	if (report_flush(&r->report) && !r->gone)
		r->gone = errno;
}

static void print_counts(struct stat_run *r, int64_t since, double elapsed)
{
	const struct stat_counters *c = &r->target.counters;
	struct stat_line line = {
		.n = r->events.n, .since_ns = since, .elapsed_ns = elapsed, .cpu = -1,
		.first = true,
	};

	if (!r->titled)
		report_title(&r->report, r->target.what);
	r->titled = true;
	for (line.i = 0; line.i < r->events.n; line.i++)
		for (unsigned int place = 0; place < shown_places(r); place++) {
			if (!place_shown(r, place) ||
			    (r->options.per_cpu && !counters_on(c, line.i, place)))
				continue;
			line.counts = &r->counts[place * r->events.n];
			if (r->options.per_cpu)
				line.cpu = (int)place;
			report_line(&r->report, &line);
			line.first = false;
		}
	flush(r);
}

static void end_interval(struct stat_run *r, int64_t now)
{
	counters_read(&r->target.counters);
	make_counts(r);
	print_counts(r, now - r->began, (double)(now - r->interval_began));
	r->interval_began = now;
}

/* ---- one run ---- */

static void as_before(void *arg)
{
	const struct stat_run *r = arg;

	sigprocmask(SIG_SETMASK, &r->before, NULL);
	setrlimit(RLIMIT_NOFILE, &r->files);
}

static bool command_ended(struct stat_run *r)
{
	if (!r->options.command || !child_ended(&r->child, &r->child_end))
		return false;
	r->ended = clock_ns(CLOCK_MONOTONIC);
	r->did_not_run = r->child_end.did_not_run;
	return true;
}

static int loop(struct stat_run *r, struct error *err)
{
	const struct stat_options *o = &r->options;
	int64_t step = (int64_t)o->interval_ms * NS_PER_MS;
	int64_t next = step ? r->began + step : INT64_MAX;
	int64_t end = o->timeout_ms ? r->began + (int64_t)o->timeout_ms * NS_PER_MS : INT64_MAX;
	uint64_t left = o->count;

	while (!command_ended(r) && !stop_signal && !r->gone) {
		int64_t now;

		wait_until(r, next < end ? next : end);
		if (target_follow(&r->target, err))
			return -1;
		now = clock_ns(CLOCK_MONOTONIC);
		if (now >= end || target_ended(&r->target) || (now >= next && left == 1))
			break;
		if (now < next)
			continue;
		end_interval(r, now);
		left -= left > 0;
		while (next <= now)
			next += step;
	}
	return 0;
}

/* Ctrl-C reaches the command as well: what it does until it has ended counts. */
static void await_command(struct stat_run *r, int64_t ms)
{
	int64_t until = clock_ns(CLOCK_MONOTONIC) + ms * NS_PER_MS;

	while (r->child.pid && clock_ns(CLOCK_MONOTONIC) < until)
		if (!command_ended(r))
			wait_until(r, until);
}

/* What it does until then is not counted. */
static void end_command(struct stat_run *r)
{
	int64_t ended = r->ended;

	if (!r->child.pid)
		return;
	kill(r->child.pid, SIGTERM);
	await_command(r, END_MS);
	r->ended = ended;
}

static double seconds_of(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

static void keep_counts(struct stat_run *r)
{
	for (size_t i = 0; i < (size_t)shown_places(r) * r->events.n; i++)
		repeats_add(&r->repeats[i], &r->counts[i]);
}

static int make_room(struct stat_run *r, struct error *err)
{
	size_t n = (size_t)shown_places(r) * r->events.n;

	if (!r->counts)
		r->counts = calloc(n, sizeof(*r->counts));
	if (!r->repeats)
		r->repeats = calloc(n, sizeof(*r->repeats));
	return r->counts && r->repeats ? 0 : fail(err, "out of memory");
}

static int count_once(struct stat_run *r, struct error *err)
{
	const struct stat_options *o = &r->options;

	r->ended = 0;
	if (o->command && child_start(&r->child, o->command, as_before, r, err))
		return -1;
	if (target_open(&r->target, o, &r->events, r->child.pid, err) || make_room(r, err))
		return -1;
	note_opened(&r->target);
	r->began = r->interval_began = clock_ns(CLOCK_MONOTONIC);
	counters_begin(&r->target.counters);
	if (o->verbose)
		fputs("sonde: tracing\n", sink_err());
	child_release(&r->child);
	if (loop(r, err))
		return -1;
	if (stop_signal)
		await_command(r, LOOK_MS);
	if (!r->ended)
		r->ended = clock_ns(CLOCK_MONOTONIC);
	if (r->did_not_run)
		return fail(err, "the command did not run");
	mean_add(&r->ending.elapsed_s, (double)(r->ended - r->began) / 1e9);
	counters_read(&r->target.counters);
	make_counts(r);
	return 0;
}

static int count_all(struct stat_run *r, struct error *err)
{
	uint64_t runs = r->options.runs ? r->options.runs : 1;

	for (uint64_t i = 0; i < runs; i++) {
		if (count_once(r, err))
			return -1;
		if (runs > 1)
			keep_counts(r);
		end_command(r);
		if (stop_signal || i + 1 == runs)
			break;
		if (r->child.pid) {
			fputs("sonde: stat: the command goes on after SIGTERM: "
			      "it is not run again\n", sink_err());
			r->options.runs = i + 1;
			break;
		}
		target_close(&r->target);
	}
	return 0;
}

/* That of the command, as a shell has it. */
static int status_of(const struct stat_run *r)
{
	int status = r->child_end.status;

	if (!r->options.command)
		return 0;
	if (stop_signal)
		return 128 + stop_signal;
	if (r->child.pid)
		return 0;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int run(struct stat_run *r, FILE *file, struct error *err)
{
	if (choose_events(r, err)) {
		r->misused = true;
		return -1;
	}
	if (report_begin(&r->report, &r->options, &r->events, file, err))
		return -1;
	catch_signals(r);
	getrlimit(RLIMIT_NOFILE, &r->files);
	if (count_all(r, err))
		return -1;
	r->ending.command = r->options.command && !r->child.pid;
	r->ending.counted = r->ending.command && r->target.counters.at_exec;
	r->ending.user_s = seconds_of(&r->child_end.usage.ru_utime);
	r->ending.system_s = seconds_of(&r->child_end.usage.ru_stime);
	r->ending.status = status_of(r);
	if (!r->gone) {
		print_counts(r, r->ended - r->began, r->options.interval_ms ?
			     (double)(r->ended - r->interval_began) :
			     r->ending.elapsed_s.mean * 1e9);
		report_end(&r->report, &r->ending);
		flush(r);
	}
	if (r->gone && r->gone != EPIPE)
		return fail(err, "can't write the counts: %s", sink_error(r->gone));
	note_uncounted(&r->target);
	return 0;
}

/* A command has standard output for itself. */
static FILE *open_output(const struct stat_options *o, struct error *err)
{
	FILE *file = o->command ? sink_err() : sink_out();

	if (o->output)
		file = fopen(o->output, "we");
	if (!file)
		fail(err, "can't open %s: %s", o->output, strerror(errno));
	return file;
}

static int count(struct stat_run *r, struct error *err)
{
	FILE *file = open_output(&r->options, err);
	int status = file ? 0 : 1;

	r->kernel = kernel_running();
	if (!status && !r->kernel)
		fail(err, "out of memory");
	if (status || !r->kernel || run(r, file, err))
		status = r->did_not_run ? 127 : r->misused ? 2 : 1;
	else
		status = r->ending.status;
	if (r->child.pid)
		kill(r->child.pid, SIGTERM);
	report_free(&r->report);
	if (file && r->options.output && fclose(file) && !*err->text) {
		fail(err, "can't write %s: %s", r->options.output, strerror(errno));
		status = 1;
	}
	return status;
}

int stat_main(int argc, char **argv)
{
	struct stat_run r = { };
	struct error err = { };
	int status = 0;

	if (stat_options(argc, argv, &r.options, &err)) {
		fprintf(sink_err(), "sonde: stat: %s\n`sonde help stat` says what it takes\n",
			err.text);
		stat_options_free(&r.options);
		return 2;
	}
	if (r.options.help)
		stat_help(sink_out());
	else if (r.options.version)
		fputs("sonde " SONDE_VERSION "\n", sink_out());
	else
		status = count(&r, &err);
	if (*err.text)
		fprintf(sink_err(), "sonde: stat: %s\n", err.text);
	target_close(&r.target);
	stat_events_free(&r.events);
	kernel_free(r.kernel);
	free(r.repeats);
	free(r.counts);
	stat_options_free(&r.options);
	return status;
}
