// SPDX-License-Identifier: GPL-2.0
/*
 * A run from its command line to its last line: it has an engine chosen, attaches, loops, and tells
 * at the end what was lost.
 */
#include "src/session/session.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "backends/semaphores/semaphores.h"
#include "backends/tracefs/locks.h"
#include "compat/kernel/doubt.h"
#include "compat/probing/running.h"
#include "insns/programs/family.h"
#include "src/lib/output/sink.h"
#include "src/run/filters/fill.h"
#include "src/run/options/common.h"
#include "src/run/options/tool_options.h"
#include "src/run/run.h"
#include "src/run/stop.h"
#include "src/session/choice.h"
#include "src/session/export_feed.h"
#include "src/session/run_listeners.h"
#include "src/session/limits.h"
#include "src/session/listeners.h"
#include "src/session/notices.h"
#include "src/session/schedule.h"
#include "src/session/source.h"

/* Set by the signal handler: a child has ended. */
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

/* A run of a tool, with the state of its session. */
struct session {
	struct run run;
	struct source source;
	struct limits limits;
	int starting;			/* until it traces, detachers rest (locks.h); -1: it does */
	struct semaphores *semaphores;	/* of probes in programs (USDT); NULL: none is kept */
	bool gone;			/* nobody reads the output any more */
	bool misused;			/* the command line is wrong: exit status 2 */
	int command_status;		/* exit status of the command; 0: it has none yet */
};

/* The words of --exec, or else the command of the tool; NULL: none. */
static char *const *command_of(const struct session *s)
{
	char *const *asked = option_command(s->run.options);

	return asked ? asked : s->run.command;
}

/*
 * The process is made after the probes were attached, so that they see its parent make it. It
 * executes the command only when sonde follows it (release_command()).
 */
static int start_command(struct session *s, struct error *err)
{
	char *const *command = command_of(s);

	/* run_command_process() may have made it before */
	return !command || s->run.child.pid ? 0 :
	       child_start(&s->run.child, command, limits_restore, &s->limits, err);
}

/* Engines may read events later than they happen: those from before are sonde's doing. */
static int follow_command(void *arg, struct error *err)
{
	static const uint64_t first = FAMILY_FIRST;
	struct run *r = arg;
	const uint32_t pid = (uint32_t)r->child.pid;

	return run_set_from(r, MAP_FAMILY, &pid, &first, run_now(r), err);
}

/* The run keeps to a command of --exec, not to one of the tool. */
static int release_command(struct session *s, struct error *err)
{
	const bool kept = option_command(s->run.options);

	return child_release(&s->run.child, kept ? follow_command : NULL, &s->run, err);
}

static void flush(struct session *s)
{
	struct run *r = &s->run;
	struct error err = { };

	if (output_flush(r->output)) {
		s->gone = true;
		r->outcome.ended = true;
		if (errno != EPIPE) {
			fail(&err, "%s: can't write the output: %s", r->tool->name,
			     sink_error(errno));
			run_fail(r, &err);
		}
	}
}

static int end_interval(struct session *s, struct error *err)
{
	struct run *r = &s->run;

	run_interval_ended(r, (int64_t)run_now(r));
	if ((r->tool->interval_end && r->tool->interval_end(r, err)) ||
	    run_listeners_interval(r, err))
		return -1;
	flush(s);
	return 0;
}

static bool command_ended(struct session *s)
{
	struct child_end end = { };

	if (!child_signal)
		return false;
	child_signal = 0;
	if (!child_ended(&s->run.child, &end))
		return false;
	s->command_status = child_status(&end);
	return true;
}

/* Returns true at the end of a file of records. */
static bool run_is_over(const struct run *r)
{
	return r->backend->ended && r->backend->ended(r->engine);
}

static int loop(struct session *session, struct error *err)
{
	struct run *r = &session->run;
	int64_t now = (int64_t)run_now(r);
	struct schedule s = schedule_of(r, now);

	run_intervals_begin(r, now);
	while (!r->outcome.ended && !stop_signal) {
		if (r->backend->poll(r->engine, schedule_until(&s), run_record, r, err) < 0)
			return -1;
		local_clock_look(r->clock);
		run_wall_look(r);
		if (run_listeners_poll(r, err))
			return -1;
		flush(session);
		now = (int64_t)run_now(r);
		schedule_due(&s, r, now);
		if (now >= s.end || command_ended(session) || run_is_over(r))
			break;
		if (schedule_renews(&s, now) && run_listeners_renew(r, false, err))
			return -1;
		if (now < s.next)
			continue;
		if (s.left == 1)
			break;		/* finish() takes the last one, after all events */
		if (end_interval(session, err) || run_listeners_renew(r, true, err))
			return -1;
		schedule_next(&s, now);
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
 * Counts the calls whose returns were not seen. A kernel that waits for few returns of a function
 * may have missed their returns, and does not count those.
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
static int finish(struct session *session, struct error *err)
{
	struct run *r = &session->run;
	struct engine_stats s = { };
	int n, result = 0;

	r->time.stopped = run_now(r);
	r->backend->stop(r->engine);
	do {
		n = r->backend->poll(r->engine, 0, run_record, r, err);
	} while (n > 0 && !session->gone);
	if (n < 0)
		result = -1;
	if (!session->gone) {
		if (!result && end_interval(session, err))
			result = -1;
		if (r->tool->finish)
			r->tool->finish(r);
	}
	if (run_listeners_end(r, err))
		result = -1;
	r->backend->stats(r->engine, &s);
	if (count_unreturned(r, &s.unreturned, err))
		result = -1;
	if (!session->gone) {
		notices_end(r, &s);
		flush(session);
	}
	notices_losses(r, &s);
	notices_recording(r, session->source.recording);
	run_listeners_report(r);
	return result;
}

static void has_started(struct session *s)
{
	start_unlock(s->starting);
	s->starting = -1;
}

static int traced(struct session *s, struct error *err)
{
	struct run *r = &s->run;
	FILE *verbose = common_of(r->options)->verbose ? sink_err() : NULL;
	int result;

	run_wall_look(r);		/* opened() may show times */
	if (filters_fill(&r->filters, r, err) || run_listeners_attach(r, err) ||
	    (r->tool->opened && r->tool->opened(r, err)) || r->backend->start(r->engine, err))
		return -1;
	run_wall_look(r);
	if (semaphores_raise(r->kernel, &r->plan.plan, verbose, &s->semaphores, err) ||
	    start_command(s, err))
		return -1;
	if (semaphores_late(s->semaphores) && !stop_signal)
		run_note(r, "USDT probes with semaphores are still off in some processes: going "
			    "through all processes takes long here");
	if (r->tool->started && r->tool->started(r, err))
		return -1;
	if (r->tool->banner)
		output_line(r->output, "%s", r->tool->banner);
	if (!r->tool->tables)
		output_header(r->output);
	flush(s);
	if (verbose)
		fprintf(verbose, "sonde: tracing\n");
	has_started(s);
	run_listeners_begin(r);
	result = release_command(s, err) || loop(s, err) ? -1 : 0;
	/* Events from before a failure of the engine are valid, and are printed. */
	if (finish(s, result ? NULL : err))
		result = -1;
	/* Ctrl-C reaches it as well; what it leaves then is the answer. */
	command_ended(s);
	return result;
}

static int list(struct session *s, struct error *err)
{
	struct run *r = &s->run;
	int result;

	catch_signals();
	if (listeners_open(r, err))
		return -1;
	result = r->tool->list(r, err);
	notices_limits(r);
	notices_unknown(r, sink_err(), "sonde: ");
	flush(s);
	return result;
}

static int run_tool(struct session *s, struct error *err)
{
	struct run *r = &s->run;
	const char *without = common_of(r->options)->without;
	struct error doubt;

	if (source_open(&s->source, common_of(r->options)->input, common_of(r->options)->snapshot,
			&stop_signal, err))
		return -1;
	r->kernel = source_kernel(&s->source, common_of(r->options)->snapshot, err);
	if (!r->kernel)
		return -1;
	r->live = kernel_live(r->kernel);
	r->recording = s->source.recording;
	kernel_set_stop(r->kernel, &stop_signal);
	kernel_set_says(r->kernel, sink_err());
	if ((without && kernel_without(r->kernel, without, err)) || run_prepare(r, err)) {
		/* What could not be found out is no mistake of the user's. */
		s->misused = !r->outcome.unfit && !kernel_doubted(r->kernel, &doubt);
		return -1;
	}
	if (r->outcome.ended)
		return 0;
	if (r->tool->list)
		return list(s, err);
	if (r->outcome.dumps || common_of(r->options)->dump)
		return choice_dump(r, &s->source, err);
	if (!kernel_live(r->kernel) && !s->source.records)
		return fail(err, "%s: --snapshot goes with --dump or --input: another kernel can't "
			    "be traced from here", r->tool->name);
	catch_signals();
	if (run_listeners_open(r, err))
		return -1;
	if (kernel_live(r->kernel)) {
		limits_raise(&s->limits);
		s->starting = start_lock(r->kernel);
	}
	if (choice_open(r, &s->source, err))
		return -1;
	notices_chosen(r);
	return listeners_open(r, err) ? -1 : traced(s, err);
}

static int run_session(const struct tool *t, int argc, char **argv, struct export_feed *feed)
{
	struct session *s = calloc(1, sizeof(*s));
	struct error err = { };
	int status = 0;

	if (!s)
		return 1;
	s->run.tool = t;
	s->run.feed = feed;
	s->run.listeners.list = all_run_listeners;
	s->starting = -1;
	switch (tool_options(t, argc, argv, &s->run.options, &err)) {
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
		if (run_tool(s, &err)) {
			sink_complain(s->run.outcome.own_text ? "" : "sonde: ", &err);
			status = s->misused ? 2 : 1;
		} else if (s->run.outcome.failed) {
			sink_complain("sonde: ", &s->run.outcome.error);
			status = 1;
		} else {
			status = s->run.outcome.status ? s->run.outcome.status : s->command_status;
		}
		has_started(s);
		child_abandon(&s->run.child);
		semaphores_lower(s->semaphores);
		if (s->run.engine)
			s->run.backend->close(s->run.engine);
		break;
	}
	run_free(&s->run);
	source_close(&s->source);
	free(s);
	return status;
}

int session_main(const struct tool *t, int argc, char **argv)
{
	return run_session(t, argc, argv, NULL);
}

int session_export(const struct tool *t, int argc, char **argv, int to, const char *labels)
{
	struct export_feed *feed = export_feed_new(to, labels);
	const int status = feed ? run_session(t, argc, argv, feed) : 1;

	export_feed_free(feed);
	return status;
}
