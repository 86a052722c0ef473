// SPDX-License-Identifier: GPL-2.0
/*
 * A recording as a Perfetto trace. sched_switch and the wakeups become events of ftrace, as
 * Perfetto records them itself: its view of the scheduler is made of them. All other tracepoints
 * become moments with their fields, on the track of their thread. Samples keep their stacks, with
 * names (perfetto_samples.c).
 */
#include <stdlib.h>
#include <string.h>

#include "src/commands/convert/formats.h"
#include "src/commands/convert/perfetto_samples.h"
#include "src/lib/output/sink.h"
#include "src/lib/output/timelines/packets.h"
#include "src/toolkit/recorded/fields.h"

#define ROUND 65536			/* bytes that are written at once */
#define NO_CPU UINT32_MAX

enum { PACKET_SYSTEM = 45, SYSTEM_NAMES = 1, NAMES_SYSTEM = 1, NAMES_RELEASE = 3 };
enum { BUNDLE_CPU = 1, BUNDLE_EVENT, BUNDLE_LOST };
enum { FTRACE_TIME = 1, FTRACE_PID };
enum { TREE_TID = 1, TREE_THREAD_NAME, TREE_TGID };

/* Events of ftrace, and the fields of their messages by the kernel's names. */
static const struct known {
	const char *name;
	unsigned int field;
	const char *const *fields;	/* the numbers 1, 2, ... */
} known[] = {
	{ "sched:sched_switch", 4, (const char *const[]){
		"prev_comm", "prev_pid", "prev_prio", "prev_state", "next_comm", "next_pid",
		"next_prio", NULL } },
	{ "sched:sched_wakeup", 17, (const char *const[]){
		"comm", "pid", "prio", "success", "target_cpu", NULL } },
	{ "sched:sched_waking", 20, (const char *const[]){
		"comm", "pid", "prio", "success", "target_cpu", NULL } },
};

#define KNOWN (sizeof(known) / sizeof(known[0]))

struct source_event {
	const struct known *known;	/* NULL: a moment, or samples */
	uint64_t track;			/* of moments of unknown processes; 0: not told yet */
};

struct perfetto {
	struct source_event *events;	/* by event */
	struct strbuf out;
	bool begun;
	uint32_t cpu;			/* of the open bundle; NO_CPU: none is open */
	size_t packet, bundle;
	struct perfetto_samples samples;
	bool stacks;			/* of tracepoints were left out */
};

static void close_bundle(struct perfetto *p)
{
	if (p->cpu == NO_CPU)
		return;
	proto_close(&p->out, p->bundle);
	packet_close(&p->out, p->packet);
	p->cpu = NO_CPU;
}

static int hand_over(struct convert *c, bool end, struct error *err)
{
	struct perfetto *p = c->own;

	if (p->out.n < ROUND && !end)
		return 0;
	close_bundle(p);
	if (p->out.cut || p->samples.failed)
		return fail(err, "out of memory");
	if (p->out.n)
		fwrite(p->out.s, 1, p->out.n, c->to);
	p->out.n = 0;
	return 0;
}

static void put_field(struct strbuf *to, const struct field *f, const struct recorded *rec,
		      unsigned int number, unsigned int text)
{
	const char *s;
	uint64_t v;
	size_t n;

	if (recorded_number(f, rec, &v))
		proto_number(to, number, v);
	else if (recorded_chars(f, rec, &s, &n))
		packet_text(to, text, s, n, false);
}

/* ---- events ---- */

static void begin_trace(struct convert *c, uint64_t time)
{
	struct perfetto *p = c->own;
	const struct wall *wall = recording_wall(c->recording);
	const struct packet_clocks clocks = {
		.time = time, .monotonic = -1, .boot = -1,
		.wall = wall->n ? wall_clock(wall, (int64_t)time) : -1,
	};
	size_t packet, system, names;

	p->begun = true;
	packet_clocks(&p->out, &clocks);
	packet = packet_open(&p->out);
	system = proto_open(&p->out, PACKET_SYSTEM);
	names = proto_open(&p->out, SYSTEM_NAMES);
	proto_string(&p->out, NAMES_SYSTEM, "Linux");
	proto_string(&p->out, NAMES_RELEASE, kernel_release(c->kernel));
	proto_close(&p->out, names);
	proto_close(&p->out, system);
	packet_close(&p->out, packet);
}

static void open_bundle(struct perfetto *p, uint32_t cpu)
{
	if (p->cpu == cpu)
		return;
	close_bundle(p);
	p->packet = packet_open(&p->out);
	p->bundle = proto_open(&p->out, PACKET_FTRACE);
	proto_number(&p->out, BUNDLE_CPU, cpu);
	p->cpu = cpu;
}

static void put_known(struct perfetto *p, const struct known *k, const struct format *format,
		      const struct recorded *rec)
{
	size_t event, message;

	open_bundle(p, rec->cpu);
	event = proto_open(&p->out, BUNDLE_EVENT);
	proto_number(&p->out, FTRACE_TIME, rec->time);
	proto_number(&p->out, FTRACE_PID, rec->tid);
	message = proto_open(&p->out, k->field);
	for (unsigned int i = 0; k->fields[i]; i++) {
		const struct field *f = format_field(format, k->fields[i]);

		if (f)
			put_field(&p->out, f, rec, i + 1, i + 1);
	}
	proto_close(&p->out, message);
	proto_close(&p->out, event);
}

/* A track with the event's name, for what happened in tasks whose process is unknown. */
static uint64_t event_track(struct perfetto *p, struct source_event *e, const char *name,
			    unsigned int number)
{
	size_t packet, track;

	if (e->track)
		return e->track;
	e->track = number + 1;
	packet = packet_open(&p->out);
	track = proto_open(&p->out, PACKET_TRACK);
	proto_number(&p->out, TRACK_UUID, e->track);
	proto_string(&p->out, TRACK_NAME, name);
	proto_close(&p->out, track);
	packet_close(&p->out, packet);
	return e->track;
}

/* Numbers above those of events, for a thread's track, which is told with its name. */
static uint64_t thread_track(uint32_t tid)
{
	return (1ULL << 32) + tid;
}

static void put_moment(struct convert *c, struct source_event *own, const struct convert_event *e,
		       const struct recorded *rec)
{
	struct perfetto *p = c->own;
	uint64_t track;
	size_t packet, event;

	close_bundle(p);
	track = convert_task(c, rec->tid) ? thread_track(rec->tid) :
		event_track(p, own, e->format->event, rec->event.number);
	packet = packet_open_at(&p->out, rec->time);
	event = proto_open(&p->out, PACKET_EVENT);
	proto_number(&p->out, EVENT_TYPE, EVENT_INSTANT);
	proto_number(&p->out, EVENT_TRACK, track);
	proto_string(&p->out, EVENT_CATEGORY, e->format->system);
	proto_string(&p->out, EVENT_NAME, e->format->event);
	for (unsigned int i = 0; i < e->format->n_fields; i++) {
		const struct field *f = &e->format->fields[i];
		size_t argument;

		if (!convert_shows(f) && strcmp(f->name, "common_pid"))
			continue;
		argument = proto_open(&p->out, EVENT_ARGUMENT);
		proto_string(&p->out, ARGUMENT_NAME, f->name);
		put_field(&p->out, f, rec, ARGUMENT_NUMBER, ARGUMENT_STRING);
		proto_close(&p->out, argument);
	}
	proto_close(&p->out, event);
	packet_close(&p->out, packet);
}

static void put_thread(struct perfetto *p, uint32_t pid, uint32_t tid, const char *comm, size_t n)
{
	size_t packet, track, thread;

	close_bundle(p);
	packet = packet_open(&p->out);
	track = proto_open(&p->out, PACKET_TRACK);
	proto_number(&p->out, TRACK_UUID, thread_track(tid));
	thread = proto_open(&p->out, TRACK_THREAD_OF);
	proto_number(&p->out, THREAD_PID, pid);
	proto_number(&p->out, THREAD_TID, tid);
	if (n)
		packet_text(&p->out, THREAD_NAME, comm, n, false);
	proto_close(&p->out, thread);
	proto_close(&p->out, track);
	packet_close(&p->out, packet);
	if (tid == pid && n) {
		packet = packet_open(&p->out);
		track = proto_open(&p->out, PACKET_TRACK);
		proto_number(&p->out, TRACK_UUID, (2ULL << 32) + pid);
		thread = proto_open(&p->out, TRACK_PROCESS_OF);
		proto_number(&p->out, PROCESS_PID, pid);
		packet_text(&p->out, PROCESS_NAME, comm, n, false);
		proto_close(&p->out, thread);
		proto_close(&p->out, track);
		packet_close(&p->out, packet);
	}
}

static void put_task(struct convert *c, uint32_t tid, struct convert_task *task)
{
	if (task->told)
		return;
	task->told = true;
	put_thread(c->own, task->pid, tid, task->comm, strnlen(task->comm, sizeof(task->comm)));
}

static void note_lost(struct convert *c, const struct recorded *rec)
{
	struct perfetto *p = c->own;

	open_bundle(p, rec->cpu);
	proto_number(&p->out, BUNDLE_LOST, 1);
	close_bundle(p);
}

static void put_sample(struct convert *c, const struct recorded *rec)
{
	struct perfetto *p = c->own;

	close_bundle(p);
	perfetto_sample(&p->samples, c, rec, &p->out);
}

static void put_event(struct convert *c, const struct recorded *rec)
{
	const struct convert_event *e = &c->events[rec->event.number];
	struct perfetto *p = c->own;
	struct source_event *own = &p->events[rec->event.number];

	if (!e->format && !e->sampled)
		return;
	if (!p->begun)
		begin_trace(c, rec->time);
	if (own->known)
		put_known(p, own->known, e->format, rec);
	else if (e->sampled)
		put_sample(c, rec);
	else
		put_moment(c, own, e, rec);
	p->stacks |= !e->sampled && rec->event.stack;
}

/* ---- the recording ---- */

static int begin(struct convert *c, struct error *err)
{
	struct perfetto *p = c->own;

	p->cpu = NO_CPU;
	p->events = calloc(c->n_events + 1, sizeof(*p->events));
	if (!p->events)
		return fail(err, "out of memory");
	for (unsigned int i = 0; i < c->n_events; i++)
		for (size_t j = 0; c->events[i].format && j < KNOWN; j++)
			if (!strcmp(known[j].name, c->events[i].name))
				p->events[i].known = &known[j];
	return 0;
}

/* What the trace lacks of what a reader shows. */
static void report(struct convert *c)
{
	const struct perfetto *p = c->own;
	bool has[KNOWN] = { };

	for (unsigned int i = 0; i < c->n_events; i++)
		if (p->events[i].known)
			has[p->events[i].known - known] = true;
	if (p->stacks)
		fputs("sonde: convert: stacks of tracepoints are left out: take --to perf-script "
		      "for them\n", sink_err());
	if (!has[0])
		fputs("sonde: convert: the recording has no sched:sched_switch: the trace shows "
		      "no CPUs and no states of threads\n", sink_err());
	else if (!has[1] && !has[2])
		fputs("sonde: convert: the recording has no sched:sched_waking: wakers are "
		      "missing\n", sink_err());
}

static void release(struct convert *c)
{
	struct perfetto *p = c->own;

	perfetto_samples_free(&p->samples);
	free(p->events);
	free(p->out.s);
}

const struct convert_writer convert_perfetto = {
	.own = sizeof(struct perfetto), .stacks = true, .begin = begin, .hand_over = hand_over,
	.task = put_task, .event = put_event, .lost = note_lost, .report = report,
	.free = release,
};
