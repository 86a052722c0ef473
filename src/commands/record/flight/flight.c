// SPDX-License-Identifier: GPL-2.0
#include "src/commands/record/flight/flight_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/cpus.h"
#include "compat/base/text.h"
#include "src/lib/output/sink.h"
#include "src/run/stop.h"

#define LOOK_MS 1000			/* how often names are read, at least */

/* Set by signal handlers: a child has ended, SIGUSR1 has come so often. */
static volatile sig_atomic_t child_signal, user_signals;

static void on_signal(int number)
{
	if (number == SIGUSR1)
		user_signals++;
	else
		child_signal = 1;
}

/* ---- opening ---- */

/* Records about tasks are of an event that is not in the file: the first one gets them. */
static int join_ids(struct flight *f, struct error *err)
{
	struct perf_written *first = &f->setup->events->list[0];
	const unsigned int n = recorder_cpus(f->recorder);

	f->ids = calloc(2 * (size_t)n, sizeof(*f->ids));
	if (!f->ids)
		return fail(err, "out of memory");
	memcpy(f->ids, first->ids, n * sizeof(*f->ids));
	memcpy(f->ids + n, lives_ids(f->lives), n * sizeof(*f->ids));
	first->ids = f->ids;
	first->n_ids = 2 * n;
	first->attr.comm = first->attr.comm_exec = first->attr.task = 1;
	for (unsigned int i = 0; i < f->setup->events->n; i++)
		f->setup->events->list[i].attr.write_backward = 0;
	return 0;
}

static int open_lives(struct flight *f, struct error *err)
{
	const struct perf_event_attr *attr = &f->setup->events->list[0].attr;
	const unsigned int n = recorder_cpus(f->recorder);
	unsigned int *cpus = calloc(n, sizeof(*cpus));

	f->names = flight_names_new(n, backward_times(attr).of_other);
	f->polls = calloc(n + f->setup->options->when.n, sizeof(*f->polls));
	f->triggers = calloc(f->setup->options->when.n + 1, sizeof(*f->triggers));
	if (!cpus || !f->names || !f->polls || !f->triggers) {
		free(cpus);
		return fail(err, "out of memory");
	}
	for (unsigned int i = 0; i < n; i++)
		recorder_ring(f->recorder, i, &cpus[i]);
	f->lives = lives_open(attr, cpus, n, err);
	free(cpus);
	return f->lives ? 0 : -1;
}

/* Each file has what the rings hold, so less than that is no limit that could be kept. */
static int check_size(const struct flight *f, struct error *err)
{
	const uint64_t most = f->setup->options->bytes;
	unsigned int cpu;
	const uint64_t rings = perf_ring_bytes(recorder_ring(f->recorder, 0, &cpu)) *
			       recorder_cpus(f->recorder) + (1U << 20);

	return !most || most >= rings ? 0 :
	       fail(err, "--max-size is too small: a file may have %" PRIu64 " MB, as the rings of "
			 "all CPUs\ngive a larger one, or smaller rings with --buffer-pages",
		    (rings >> 20) + 1);
}

static int open_all(struct flight *f, struct error *err)
{
	const struct flight_setup *s = f->setup;
	const struct recorder_options o = {
		.pages = s->pages, .stacks = s->stacks, .backward = true,
	};

	if (!strcmp(s->folder, "-"))
		return fail(err, "with --last, -o takes a folder");
	if (backward_serves(err))
		return -1;
	f->recorder = recorder_open(s->kernel, s->events->list, s->events->n, &o, err);
	if (!f->recorder || open_lives(f, err) || join_ids(f, err) || check_size(f, err))
		return -1;
	f->head = (struct perf_head){
		.kernel = s->kernel, .events = s->events->list, .n_events = s->events->n,
		.possible = cpu_list_limit(kernel_text(s->kernel, CPUS_POSSIBLE)),
		.online = recorder_cpus(f->recorder), .clock = recorder_clocked(f->recorder),
		.code = s->code, .probes = s->probes, .command = s->words,
	};
	f->files.most = (unsigned int)s->options->files;
	f->files.bytes = s->options->bytes;
	return flight_files_open(&f->files, s->folder, err);
}

/* Names of now, then what changes them: as in a plain recording. */
static int start(struct flight *f, struct error *err)
{
	const struct lines *when = &f->setup->options->when;

	if (lives_start(f->lives, err) || flight_names_scan(f->names, err) ||
	    recorder_follow(f->recorder, err) || recorder_start(f->recorder, err))
		return -1;
	f->began = monotonic_ns();
	lives_poll(f->lives, f->polls);
	for (unsigned int i = 0; i < when->n; i++) {
		struct trigger *t = &f->triggers[i];

		if (trigger_start(t, when->list[i], &f->limits, err))
			return -1;
		f->polls[recorder_cpus(f->recorder) + i] = (struct pollfd){
			t->process.fds[0], POLLIN, 0,
		};
		f->n_on++;
	}
	return 0;
}

/* ---- the loop ---- */

struct take {
	struct flight_names *names;
	unsigned int cpu;
};

static void take_name(void *arg, const struct perf_event_header *record)
{
	struct take *t = arg;

	flight_names_take(t->names, t->cpu, record);
}

void flight_names_read(struct flight *f)
{
	for (unsigned int i = 0; i < recorder_cpus(f->recorder); i++) {
		struct take t = { f->names, i };

		lives_read(f->lives, i, take_name, &t);
	}
}

/* The file is due when a little more is recorded, but not before --every allows the next one. */
static void ask(struct flight *f, const char *reason, const char *row)
{
	const uint64_t now = monotonic_ns(), after = now + FLIGHT_AFTER_NS;
	const uint64_t due = after > f->next ? after : f->next;

	if (!f->asked && due - now > f->setup->options->last_ns + FLIGHT_AFTER_NS) {
		f->left_out++;		/* its events are overwritten by then */
		return;
	}
	if (!f->asked++) {
		f->first = now;
		f->due = due;
		text_cut(f->reason, sizeof(f->reason), "%s%s%s", reason, row ? ": " : "",
			 row ? row : "");
	}
}

static void on_row(void *arg, const struct trigger *t)
{
	ask(arg, t->line, t->row);
}

static int read_triggers(struct flight *f, struct error *err)
{
	for (unsigned int i = 0; i < f->setup->options->when.n; i++) {
		struct pollfd *p = &f->polls[recorder_cpus(f->recorder) + i];
		int result;

		if (p->fd < 0 || !p->revents)
			continue;
		result = trigger_read(&f->triggers[i], on_row, f, err);
		if (result < 0)
			return -1;
		if (result)
			continue;
		p->fd = -1;
		f->n_on--;
		fprintf(sink_err(), "sonde: record: the trigger %s has ended\n",
			f->triggers[i].line);
	}
	return 0;
}

/* Something may still ask for a file. */
static bool waits(const struct flight *f)
{
	return f->n_on || f->setup->options->by_signal || f->child.pid;
}

static void wait_some(struct flight *f, uint64_t until, const sigset_t *mask)
{
	const uint64_t now = monotonic_ns(), look = now + LOOK_MS * (uint64_t)NS_PER_MS;
	uint64_t to = f->asked && f->due < until ? f->due : until;
	struct timespec time = { };

	to = to < look ? to : look;
	if (to > now) {
		time.tv_sec = (time_t)((to - now) / NS_PER_SECOND);
		time.tv_nsec = (long)((to - now) % NS_PER_SECOND);
	}
	if (ppoll(f->polls, recorder_cpus(f->recorder) + f->setup->options->when.n, &time,
		  mask) <= 0)
		for (unsigned int i = 0; i < f->setup->options->when.n; i++)
			f->polls[recorder_cpus(f->recorder) + i].revents = 0;
}

/* Returns true when the command has ended; a failure of it asks for a file, and that at once. */
static bool command_ended(struct flight *f, int *status)
{
	struct child_end end = { };
	char reason[64];

	if (!child_signal)
		return false;
	child_signal = 0;
	if (!child_ended(&f->child, &end))
		return false;
	*status = child_status(&end);
	if (!*status)
		return true;
	text_cut(reason, sizeof(reason), "exit status %d of %s", *status, f->setup->command[0]);
	f->next = 0;
	ask(f, reason, NULL);
	sleep_ns(FLIGHT_AFTER_NS);
	return true;
}

static int loop(struct flight *f, const sigset_t *mask, int *status, struct error *err)
{
	const uint64_t keep = f->setup->options->last_ns + FLIGHT_EXIT_NS + FLIGHT_AFTER_NS;
	const uint64_t until = f->setup->seconds ?
			       monotonic_ns() + f->setup->seconds * NS_PER_SECOND : UINT64_MAX;
	sig_atomic_t seen = 0;

	while (!stop_signal && monotonic_ns() < until && waits(f) && !command_ended(f, status)) {
		uint64_t now;

		wait_some(f, until, mask);
		flight_names_read(f);
		if (!stop_signal && read_triggers(f, err))
			return -1;
		for (; f->setup->options->by_signal && seen != user_signals; seen++)
			ask(f, "SIGUSR1", NULL);
		now = f->asked ? f->first : monotonic_ns();
		if (flight_names_pass(f->names, now > keep ? now - keep : 0, err))
			return -1;
		if (f->asked && monotonic_ns() >= f->due)
			flight_keep(f);
	}
	return 0;
}

static void prepare(void *arg)
{
	struct flight *f = arg;

	limits_restore(&f->limits);
}

static void introduce(const struct flight *f)
{
	const struct flight_setup *s = f->setup;

	fprintf(sink_err(), "sonde: record: keeps the last %g s of %u events on %u CPUs",
		(double)s->options->last_ns / (double)NS_PER_SECOND, s->events->n,
		recorder_cpus(f->recorder));
	if (s->options->by_signal)
		fprintf(sink_err(), "; `kill -USR1 %d` writes a file", (int)getpid());
	fputs(f->child.pid || s->seconds ? "\n" : "... Hit Ctrl-C to end.\n", sink_err());
}

/* Signals come only while it waits. Children are made before, so theirs are as they were. */
static int run(struct flight *f, int *status, struct error *err)
{
	sigset_t blocked, before;
	int result;

	if (open_all(f, err))
		return -1;
	if (f->setup->command && child_start(&f->child, f->setup->command, prepare, f, err))
		return -1;
	if (start(f, err))
		return -1;
	introduce(f);
	if (child_release(&f->child, NULL, NULL, err))
		return -1;
	sigemptyset(&blocked);
	for (unsigned int i = 0; i < 5; i++)
		sigaddset(&blocked, (const int []){ SIGUSR1, SIGCHLD, STOP_SIGNALS }[i]);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	result = loop(f, &before, status, err);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (f->asked)
		flight_keep(f);
	fprintf(sink_err(), "sonde: record: %u files written\n", f->written);
	if (result)
		return -1;
	return f->failed ? fail(err, "%u files could not be written", f->failed) : 0;
}

static void close_all(struct flight *f)
{
	for (unsigned int i = 0; f->triggers && f->triggers[i].line; i++)
		trigger_end(&f->triggers[i]);
	free(f->triggers);
	child_abandon(&f->child);
	if (f->recorder)
		recorder_close(f->recorder);
	lives_close(f->lives);
	flight_names_free(f->names);
	flight_files_close(&f->files);
	free(f->polls);
	free(f->ids);
}

int flight_record(const struct flight_setup *setup, int *status, struct error *err)
{
	const struct sigaction action = { .sa_handler = on_signal };
	struct flight *f = calloc(1, sizeof(*f));
	int result;

	if (!f)
		return fail(err, "out of memory");
	f->setup = setup;
	f->files.fd = -1;
	stop_on_signals();
	sigaction(SIGCHLD, &action, NULL);
	if (setup->options->by_signal)
		sigaction(SIGUSR1, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	limits_raise(&f->limits);
	result = run(f, status, err);
	close_all(f);
	free(f);
	return result;
}
