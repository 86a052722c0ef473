// SPDX-License-Identifier: GPL-2.0
/* A trace.dat, of the rings of ftrace. */
#include "src/commands/record/record_trace.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/clock.h"
#include "compat/base/cpus.h"
#include "compat/recordings/trace/trace_side.h"
#include "compat/recordings/trace/trace_write.h"
#include "src/commands/record/record_command.h"
#include "src/commands/record/record_tasks.h"
#include "src/lib/output/sink.h"
#include "src/run/stop.h"
#include "src/session/limits.h"

#define WAIT_MS 100

struct recording_trace {
	const struct trace_setup *setup;
	struct trace_recorder *recorder;
	struct trace_writer *writer;
	struct trace_head head;
	char *header_page, *clocks;
	struct hash tasks;
	struct strbuf stats, side, names;
	uint64_t seen, lost;
	struct limits limits;
};

static int open_all(struct recording_trace *t, struct error *err)
{
	const struct trace_setup *s = t->setup;
	const struct trace_recorder_options o = { .pages = s->pages, .verbose = s->verbose };
	int result = 0;

	t->recorder = trace_recorder_open(s->kernel, &o, err);
	if (!t->recorder)
		return -1;
	for (unsigned int i = 0; i < s->events->n && !result; i++)
		result = trace_recorder_add(t->recorder, s->events->list[i].system,
					    s->events->list[i].name, err);
	if (result)
		return -1;
	t->header_page = trace_recorder_text(t->recorder, "events/header_page", err);
	t->clocks = t->header_page ? trace_recorder_text(t->recorder, "trace_clock", err) : NULL;
	if (!t->clocks)
		return -1;
	t->head = (struct trace_head){
		.kernel = s->kernel, .events = s->events->list, .n_events = s->events->n,
		.cpus = trace_recorder_cpus(t->recorder), .probes = s->probes,
		.page = trace_recorder_page(t->recorder), .header_page = t->header_page,
		.clocks = t->clocks, .clock = trace_recorder_clocked(t->recorder),
	};
	t->writer = trace_writer_open(s->output, &t->head, err);
	return t->writer ? 0 : -1;
}

/*
 * Tasks are read twice: one that ends before it is found in the second reading was there in the
 * first. What they do meanwhile is in the rings already.
 */
static int start(struct recording_trace *t, struct error *err)
{
	return record_tasks_read(&t->tasks, err) || trace_recorder_start(t->recorder, err) ||
	       record_tasks_read(&t->tasks, err) ? -1 : 0;
}

static int pages_of(void *arg, unsigned int cpu, struct error *err)
{
	return trace_writer_pages(arg, cpu, err);
}

static int read_rings(struct recording_trace *t, bool last, struct error *err)
{
	return trace_recorder_read(t->recorder, last, pages_of, t->writer, err);
}

static int loop(struct recording_trace *t, int *status, struct error *err)
{
	const uint64_t seconds = t->setup->seconds;
	const uint64_t until = seconds ? monotonic_ns() + seconds * NS_PER_SECOND : UINT64_MAX;
	int result = 0;

	while (!result && !stop_signal && monotonic_ns() < until &&
	       !record_command_ended(t->setup->child, status)) {
		trace_recorder_wait(t->recorder, WAIT_MS);
		result = read_rings(t, false, err);
	}
	trace_recorder_stop(t->recorder);
	return result ? result : read_rings(t, true, err);
}

static void add_end(void *arg, const struct trace_ring_end *end)
{
	struct recording_trace *t = arg;

	strbuf_addf(&t->stats, "CPU: %u\n%s", end->cpu, end->stats);
	strbuf_add(&t->stats, "", 1);
	if (end->unread)
		trace_side_unread(&t->side, end->cpu, end->unread);
	t->seen += end->events;
	t->lost += end->lost;
}

/* Also after a failure, as of a full disk: what was recorded until then is worth to be read. */
static int end_file(struct recording_trace *t, struct error *err)
{
	struct trace_tail tail = { .stats = &t->stats, .side = &t->side };
	char *saved = kernel_read(t->setup->kernel, "tracefs:saved_cmdlines", NULL);
	const int64_t apart = trace_recorder_apart(t->recorder);

	strbuf_addf(&t->side, TRACE_SIDE_HEAD);
	if (t->head.clock || apart)
		trace_side_wall(&t->side, clock_ns(CLOCK_REALTIME),
				clock_ns(CLOCK_MONOTONIC) - apart);
	record_tasks_side(&t->tasks, t->head.clock, apart, &t->side);
	record_tasks_names(&t->tasks, saved, &t->names);
	free(saved);
	if (trace_recorder_ends(t->recorder, add_end, t, err))
		return -1;
	if (t->names.cut)
		return fail(err, "out of memory");
	tail.names = t->names.s;
	return trace_writer_end(t->writer, &tail, err);
}

static void tell(const struct recording_trace *t)
{
	fprintf(sink_err(), "sonde: record: %" PRIu64 " events, %.1f MB in %s\n", t->seen,
		(double)trace_writer_bytes(t->writer) / 1e6, t->setup->output);
	if (t->lost)
		fprintf(sink_err(), "sonde: record: %" PRIu64 " events lost (--buffer-pages: "
				    "larger rings)\n", t->lost);
}

static void prepare(void *arg)
{
	struct recording_trace *t = arg;

	limits_restore(&t->limits);
}

static int record(struct recording_trace *t, int *status, struct error *err)
{
	const struct trace_setup *s = t->setup;
	struct error ignored = { };
	int result;

	if (open_all(t, err) || start(t, err))
		return -1;
	if (s->command && child_start(s->child, s->command, prepare, t, err))
		return -1;
	if (s->begun)
		s->begun(s->arg);
	fprintf(sink_err(), "sonde: record: %u events on %u CPUs%s\n", s->events->n,
		cpu_list_count(kernel_text(s->kernel, CPUS_ONLINE)),
		s->command || s->seconds ? "" : "... Hit Ctrl-C to end.");
	if (child_release(s->child, NULL, NULL, err))
		return -1;
	result = loop(t, status, err);
	if (end_file(t, result ? &ignored : err))
		return -1;
	if (result)
		fprintf(sink_err(), "sonde: record: %s ends early: it has the events from before "
				    "the error\n", s->output);
	else
		tell(t);
	return result;
}

int record_trace(const struct trace_setup *setup, struct trace_recorder **recorder, int *status,
		 struct error *err)
{
	struct recording_trace *t = calloc(1, sizeof(*t));
	int result;

	if (!t)
		return fail(err, "out of memory");
	t->setup = setup;
	record_command_watch();
	signal(SIGXFSZ, SIG_IGN);	/* a limit of files is an error of write(2) */
	limits_raise(&t->limits);
	result = record(t, status, err);
	if (t->writer && trace_writer_close(t->writer, result ? NULL : err))
		result = -1;
	*recorder = t->recorder;
	hash_clear(&t->tasks);
	free(t->header_page);
	free(t->clocks);
	free(t->stats.s);
	free(t->side.s);
	free(t->names.s);
	free(t);
	return result;
}
