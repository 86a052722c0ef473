// SPDX-License-Identifier: GPL-2.0
#include "src/commands/stat/stat.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/file.h"
#include "compat/base/text.h"
#include "compat/probing/running.h"
#include "src/commands/stat/names.h"
#include "src/commands/stat/notes.h"
#include "src/commands/stat/report.h"
#include "src/commands/stat/target.h"
#include "src/lib/output/sink.h"
#include "src/run/child.h"
#include "src/run/stop.h"

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
static void catch_signals(struct stat_run *run)
{
	const struct sigaction action = { .sa_handler = on_child };
	sigset_t all;

	sigemptyset(&all);
	for (size_t i = 0; i < N_SIGNALS; i++)
		sigaddset(&all, signals[i]);
	stop_on_signals();
	sigaction(SIGCHLD, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	sigprocmask(SIG_BLOCK, &all, &run->before);
	run->waiting = run->before;
	for (size_t i = 0; i < N_SIGNALS; i++)
		sigdelset(&run->waiting, signals[i]);
}

static void wait_until(struct stat_run *run, int64_t until)
{
	int64_t left = until - clock_ns(CLOCK_MONOTONIC);
	struct timespec most;

	left = left < 0 ? 0 : left < LOOK_MS * NS_PER_MS ? left : LOOK_MS * NS_PER_MS;
	most = (struct timespec){ .tv_nsec = left };
	ppoll(NULL, 0, &most, &run->waiting);
}

/* ---- what is counted ---- */

/* Beside the cycles of CPUs that can tell. */
static bool left_out(const char *name)
{
	char path[128];

	text_all(path, sizeof(path), PMU_FOLDER "/cpu/events/%s", name);
	return !strncmp(name, "stalled-", 8) && access(path, F_OK);
}

static int add_defaults(struct stat_run *run, const struct stat_source *from, struct error *err)
{
	const struct stat_options *o = &run->options;
	bool tasks = o->pids.n || o->tids.n || (o->command && !o->system_wide && !o->cpus);

	for (const char *const *name = stat_defaults; *name; name++) {
		/* All of a CPU's time is not that of a task. */
		const char *its = !strcmp(*name, "task-clock") && !tasks ? "cpu-clock" : *name;

		if (!left_out(its) && stat_parse(from, its, &run->events, err))
			return -1;
	}
	return 0;
}

static int choose_events(struct stat_run *run, struct error *err)
{
	const struct stat_source from = { .kernel = run->kernel, .pmus = PMU_FOLDER };
	const struct stat_options *o = &run->options;

	for (unsigned int i = 0; i < o->events.n; i++) {
		struct error why = { };

		if (stat_parse(&from, o->events.list[i], &run->events, &why))
			return fail_with(err, why.number, "%s", why.text);
	}
	if (!o->events.n && add_defaults(run, &from, err))
		return -1;
	for (unsigned int i = 0; i < o->detail && i < STAT_DETAILS; i++)
		if (stat_parse(&from, stat_details[i], &run->events, err))
			return -1;
	return 0;
}

/* ---- what is shown ---- */

static unsigned int shown_places(const struct stat_run *run)
{
	return run->options.per_cpu ? run->target.counters.n_places : 1;
}

static bool place_shown(const struct stat_run *run, unsigned int place)
{
	return !run->options.per_cpu || run->target.counters.places[place].seen;
}

/* The counts of all places, since they were read before. */
static void make_counts(struct stat_run *run)
{
	const struct stat_counters *c = &run->target.counters;
	unsigned int n = run->events.n;

	for (unsigned int place = 0; place < shown_places(run); place++)
		for (unsigned int i = 0; i < n; i++) {
			struct stat_reading added =
				counters_added(c, i, run->options.per_cpu ? (int)place : -1);

			run->counts[place * n + i] = stat_scale(&run->events.list[i], &c->states[i],
								&added);
		}
}

static void flush(struct stat_run *run)
{
	if (report_flush(&run->report) && !run->gone)
		run->gone = errno;
}

static void print_counts(struct stat_run *run, int64_t since, double elapsed)
{
	const struct stat_counters *c = &run->target.counters;
	struct stat_line line = {
		.n = run->events.n,
		.since_ns = since,
		.elapsed_ns = elapsed,
		.cpu = -1,
		.first = true,
	};

	if (!run->titled)
		report_title(&run->report, run->target.what);
	run->titled = true;
	for (line.i = 0; line.i < run->events.n; line.i++)
		for (unsigned int place = 0; place < shown_places(run); place++) {
			if (!place_shown(run, place) ||
			    (run->options.per_cpu && !counters_on(c, line.i, place)))
				continue;
			line.counts = &run->counts[place * run->events.n];
			if (run->options.per_cpu)
				line.cpu = (int)place;
			report_line(&run->report, &line);
			line.first = false;
		}
	flush(run);
}

static void end_interval(struct stat_run *run, int64_t now)
{
	counters_read(&run->target.counters);
	make_counts(run);
	print_counts(run, now - run->began, (double)(now - run->interval_began));
	run->interval_began = now;
}

/* ---- one run ---- */

static void as_before(void *arg)
{
	const struct stat_run *run = arg;

	sigprocmask(SIG_SETMASK, &run->before, NULL);
	setrlimit(RLIMIT_NOFILE, &run->files);
}

static bool command_ended(struct stat_run *run)
{
	if (!run->options.command || !child_ended(&run->child, &run->child_end))
		return false;
	run->ended = clock_ns(CLOCK_MONOTONIC);
	run->did_not_run = run->child_end.did_not_run;
	return true;
}

static int loop(struct stat_run *run, struct error *err)
{
	const struct stat_options *o = &run->options;
	int64_t step = (int64_t)o->interval_ms * NS_PER_MS;
	int64_t next = step ? run->began + step : INT64_MAX;
	int64_t end = o->timeout_ms ? run->began + (int64_t)o->timeout_ms * NS_PER_MS : INT64_MAX;
	uint64_t left = o->count;

	while (!command_ended(run) && !stop_signal && !run->gone) {
		int64_t now;

		wait_until(run, next < end ? next : end);
		if (target_follow(&run->target, err))
			return -1;
		now = clock_ns(CLOCK_MONOTONIC);
		if (now >= end || target_ended(&run->target) || (now >= next && left == 1))
			break;
		if (now < next)
			continue;
		end_interval(run, now);
		left -= left > 0;
		while (next <= now)
			next += step;
	}
	return 0;
}

/* Ctrl-C reaches the command as well: what it does until it has ended counts. */
static void await_command(struct stat_run *run, int64_t ms)
{
	int64_t until = clock_ns(CLOCK_MONOTONIC) + ms * NS_PER_MS;

	while (run->child.pid && clock_ns(CLOCK_MONOTONIC) < until)
		if (!command_ended(run))
			wait_until(run, until);
}

/* What it does until then is not counted. */
static void end_command(struct stat_run *run)
{
	int64_t ended = run->ended;

	if (!run->child.pid)
		return;
	kill(run->child.pid, SIGTERM);
	await_command(run, END_MS);
	run->ended = ended;
}

static double seconds_of(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

static void keep_counts(struct stat_run *run)
{
	for (size_t i = 0; i < (size_t)shown_places(run) * run->events.n; i++)
		repeats_add(&run->repeats[i], &run->counts[i]);
}

static int make_room(struct stat_run *run, struct error *err)
{
	size_t n = (size_t)shown_places(run) * run->events.n;

	if (!run->counts)
		run->counts = calloc(n, sizeof(*run->counts));
	if (!run->repeats)
		run->repeats = calloc(n, sizeof(*run->repeats));
	return run->counts && run->repeats ? 0 : fail(err, "out of memory");
}

static int count_once(struct stat_run *run, struct error *err)
{
	const struct stat_options *o = &run->options;

	run->ended = 0;
	if (o->command && child_start(&run->child, o->command, as_before, run, err))
		return -1;
	if (target_open(&run->target, o, &run->events, run->child.pid, err) || make_room(run, err))
		return -1;
	note_opened(&run->target);
	run->began = run->interval_began = clock_ns(CLOCK_MONOTONIC);
	counters_begin(&run->target.counters);
	if (o->verbose)
		fputs("sonde: tracing\n", sink_err());
	if (child_release(&run->child, NULL, NULL, err) || loop(run, err))
		return -1;
	if (stop_signal)
		await_command(run, LOOK_MS);
	if (!run->ended)
		run->ended = clock_ns(CLOCK_MONOTONIC);
	if (run->did_not_run)
		return fail(err, "the command did not run");
	mean_add(&run->ending.elapsed_s, (double)(run->ended - run->began) / 1e9);
	counters_read(&run->target.counters);
	make_counts(run);
	return 0;
}

static int count_all(struct stat_run *run, struct error *err)
{
	uint64_t runs = run->options.runs ? run->options.runs : 1;

	for (uint64_t i = 0; i < runs; i++) {
		if (count_once(run, err))
			return -1;
		if (runs > 1)
			keep_counts(run);
		end_command(run);
		if (stop_signal || i + 1 == runs)
			break;
		if (run->child.pid) {
			fputs("sonde: stat: the command did not end after SIGTERM: sonde does not "
			      "run it again\n", sink_err());
			run->options.runs = i + 1;
			break;
		}
		target_close(&run->target);
	}
	return 0;
}

/* That of the command, as a shell has it. */
static int status_of(const struct stat_run *run)
{
	if (!run->options.command)
		return 0;
	if (stop_signal)
		return 128 + stop_signal;
	if (run->child.pid)
		return 0;
	return child_status(&run->child_end);
}

static int count_events(struct stat_run *run, FILE *file, struct error *err)
{
	if (choose_events(run, err)) {
		run->misused = true;
		return -1;
	}
	if (report_begin(&run->report, &run->options, &run->events, file, err))
		return -1;
	catch_signals(run);
	getrlimit(RLIMIT_NOFILE, &run->files);
	if (count_all(run, err))
		return -1;
	run->ending.command = run->options.command && !run->child.pid &&
			      !run->child_end.unknown;
	run->ending.counted = run->ending.command && run->target.counters.at_exec;
	run->ending.user_s = seconds_of(&run->child_end.usage.ru_utime);
	run->ending.system_s = seconds_of(&run->child_end.usage.ru_stime);
	run->ending.status = status_of(run);
	if (!run->gone) {
		print_counts(run, run->ended - run->began,
			     run->options.interval_ms ? (double)(run->ended - run->interval_began) :
							run->ending.elapsed_s.mean * 1e9);
		report_end(&run->report, &run->ending);
		flush(run);
	}
	if (run->gone && run->gone != EPIPE)
		return fail(err, "can't write the counts: %s", sink_error(run->gone));
	note_uncounted(&run->target);
	return 0;
}

/* A command has standard output for itself. */
static FILE *open_output(const struct stat_options *o, struct error *err)
{
	FILE *file;
	int fd;

	if (!o->output)
		return o->command ? sink_err() : sink_out();
	fd = file_create(o->output);
	file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!file)
		fail_with(err, fd < 0 ? -fd : errno, "can't write into %s: %s", o->output,
			  fd == -ELOOP ? FILE_FOREIGN_LINK : strerror(fd < 0 ? -fd : errno));
	if (fd >= 0 && !file)
		close(fd);
	return file;
}

static int count(struct stat_run *run, struct error *err)
{
	FILE *file = open_output(&run->options, err);
	int status = file ? 0 : 1;

	run->kernel = kernel_running();
	if (!status && !run->kernel)
		fail(err, "out of memory");
	if (status || !run->kernel || count_events(run, file, err))
		status = run->did_not_run ? child_status(&run->child_end) : run->misused ? 2 : 1;
	else
		status = run->ending.status;
	if (run->child.pid)
		kill(run->child.pid, SIGTERM);
	report_free(&run->report);
	if (file && run->options.output && fclose(file) && !*err->text) {
		fail_with(err, errno, "can't write %s: %m", run->options.output);
		status = 1;
	}
	return status;
}

int stat_main(int argc, char **argv)
{
	struct stat_run run = {};
	struct error err = { };
	int status = 0;

	if (stat_options(argc, argv, &run.options, &err)) {
		fprintf(sink_err(), "sonde: stat: %s\n`sonde help stat` lists its options\n",
			err.text);
		stat_options_free(&run.options);
		return 2;
	}
	if (run.options.help)
		stat_help(sink_out());
	else if (run.options.version)
		fputs("sonde " SONDE_VERSION "\n", sink_out());
	else
		status = count(&run, &err);
	if (*err.text)
		sink_complain("sonde: stat: ", &err);
	target_close(&run.target);
	stat_events_free(&run.events);
	kernel_free(run.kernel);
	free(run.repeats);
	free(run.counts);
	stat_options_free(&run.options);
	return status;
}
