// SPDX-License-Identifier: GPL-2.0
/*
 * A run from its command line to its last line: have an engine chosen, attach, loop, and say at the
 * end what was lost.
 */
#include "src/session/session.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "backends/offsets/find.h"
#include "backends/semaphores/semaphores.h"
#include "backends/tracefs/try.h"
#include "backends/tracefs/turn.h"
#include "compat/base/clock.h"
#include "compat/probing/running.h"
#include "insns/programs/family.h"
#include "src/lib/output/sink.h"
#include "src/run.h"
#include "src/session/choice.h"
#include "src/session/guests.h"
#include "src/session/notices.h"
#include "src/stop.h"

#define POLL_MS 100		/* how long a record may wait to be printed */

/* A child has ended: written by a signal handler. */
static volatile sig_atomic_t child_signal;

static void on_child(int number)
{
	(void)number;
	child_signal = 1;
}

static void catch_signals(void)
{
	const struct sigaction action = { .sa_handler = on_child };

	stop_on_signals();
	sigaction(SIGCHLD, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
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
	struct error err = { };

	if (output_flush(r->output)) {
		r->gone = true;
		r->ended = true;
		if (errno != EPIPE) {
			fail(&err, "%s: can't write the output: %s", r->tool->name,
			     sink_error(errno));
			run_fail(r, &err);
		}
	}
}

static int end_interval(struct run *r, struct error *err)
{
	int64_t now = clock_ns(CLOCK_MONOTONIC);

	r->interval_clock = clock_ns(CLOCK_REALTIME);
	r->interval_length = now - r->interval_began;
	r->interval_began = now;
	if ((r->tool->interval_end && r->tool->interval_end(r, err)) || guests_interval(r, err))
		return -1;
	flush(r);
	return 0;
}

/* When the loop has something else to do than to poll. */
struct schedule {
	int64_t interval, next;		/* ns; interval 0: none */
	int64_t left;			/* intervals to come; 0: no end */
	int64_t end;			/* of --duration; INT64_MAX: none */
	int64_t renewal;		/* when what nobody needs any more may go */
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
	s.interval = guests_every(r, s.interval);
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
		local_clock_look(r->clock);
		wall_look(&r->wall);
		if (guests_poll(r, err))
			return -1;
		flush(r);
		now = clock_ns(CLOCK_MONOTONIC);
		if (now >= s.end || command_ended(r))
			break;
		if (now >= s.renewal && now < s.next && guests_renew(r, false, err))
			return -1;
		if (now >= s.renewal)
			s.renewal = now + NS_PER_SECOND;
		if (now < s.next)
			continue;
		if (s.left == 1)
			break;		/* the last one is taken once all events are in */
		if (end_interval(r, err) || guests_renew(r, true, err))
			return -1;
		s.left -= s.left > 0;
		while (s.next <= now)
			s.next += s.interval;
	}
	return 0;
}

struct unreturned {
	const struct map *map;
	uint64_t n;
};

static void count_call(void *arg, const void *key, const void *value)
{
	struct unreturned *u = arg;
	const uint8_t *bytes = value;

	(void)key;
	for (unsigned int i = 0; i < u->map->value_size; i++)
		if (bytes[i]) {
			u->n++;
			return;
		}
}

/*
 * Calls that began, and whose return nobody has seen. Where the kernel waits for few returns of a
 * function, it may have missed theirs, and does not tell.
 */
static int count_unreturned(struct run *r, uint64_t *n, struct error *err)
{
	const struct plan *p = &r->plan.plan;

	if (kernel_has(r->kernel, FEATURE_KRETPROBE_ROOM) || !plan_waits_for_returns(p))
		return 0;
	for (unsigned int i = 0; i < p->n_maps; i++) {
		struct unreturned u = { .map = &p->maps[i] };

		if (p->maps[i].calls && r->backend->take(r->engine, i, count_call, &u, err))
			return -1;
		*n += u.n;
	}
	return 0;
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
	if (guests_end(r, err))
		result = -1;
	r->backend->stats(r->engine, &s);
	if (count_unreturned(r, &s.unreturned, err))
		result = -1;
	if (!r->gone) {
		notices_end(r, &s);
		flush(r);
	}
	notices_losses(r, &s);
	guests_report(r);
	return result;
}

static void has_started(struct run *r)
{
	turn_started(r->starting);
	r->starting = -1;
}

static int traced(struct run *r, struct error *err)
{
	FILE *verbose = option_number(r->options, "verbose") ? sink_err() : NULL;
	int result;

	if (filters_fill(&r->filters, r, err) || guests_attach(r, err) ||
	    r->backend->start(r->engine, err) ||
	    semaphores_raise(r->kernel, &r->plan.plan, verbose, &r->semaphores, err) ||
	    start_command(r, err))
		return -1;
	if (semaphores_late(r->semaphores) && !stop_signal)
		run_note(r, "USDT probes with semaphores are still off in some processes: going "
			    "through all processes takes long here");
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
	has_started(r);
	guests_begin(r);
	child_release(&r->child);
	result = loop(r, err);
	/* What was traced until an engine failed is still true, and is printed. */
	if (finish(r, result ? NULL : err))
		result = -1;
	return result;
}

static int list(struct run *r, struct error *err)
{
	int result;

	catch_signals();
	r->output = run_output_new(r, sink_rows(), options_format(r->options));
	if (!r->output)
		return fail(err, "out of memory");
	result = r->tool->list(r, err);
	notices_limits(r);
	notices_unknown(r, sink_err(), "sonde: ");
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
		return choice_dump(r, err);
	if (snapshot)
		return fail(err, "%s: --snapshot goes with --dump: another kernel can't be traced "
			    "from here", r->tool->name);
	catch_signals();
	if (guests_open(r, err))
		return -1;
	allow_files(r);
	keep_pages_small(r);
	r->starting = turn_starting(r->kernel);
	if (choice_open(r, err))
		return -1;
	notices_chosen(r);
	r->output = run_output_new(r, sink_rows(), options_format(r->options));
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
	r->starting = -1;
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
		has_started(r);
		semaphores_lower(r->semaphores);
		if (r->engine)
			r->backend->close(r->engine);
		break;
	}
	run_free(r);
	free(r);
	return status;
}
