// SPDX-License-Identifier: GPL-2.0
/*
 * A recording as a Perfetto trace. sched_switch and the wakeups become events of ftrace, as
 * Perfetto records them itself: its view of the scheduler is made of them. All other tracepoints
 * become moments with their fields, on the track of their thread. Tasks and names are those that
 * the recording tells.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compat/arch/arch.h"
#include "compat/base/hash.h"
#include "compat/recordings/recording.h"
#include "src/commands/convert/perfetto.h"
#include "src/lib/output/sink.h"
#include "src/lib/output/timelines/packets.h"
#include "src/run/stop.h"
#include "src/session/source.h"

#define ROUND 65536			/* bytes that are written at once */
#define TASKS_MOST 65536		/* threads whose process is kept */
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

struct source_event {
	const struct known *known;	/* NULL: a moment */
	const struct format *format;	/* NULL: it can't be shown */
	const struct field *pid;	/* of the thread that it happened in */
	uint64_t track;			/* of moments of unknown processes; 0: not told yet */
};

struct convert {
	struct recording *recording;
	struct kernel *kernel;
	FILE *to;
	struct source_event *events;	/* as recording_events() */
	unsigned int n_events;
	struct strbuf out;
	bool begun;
	uint32_t cpu;			/* of the open bundle; NO_CPU: none is open */
	size_t packet, bundle;
	struct hash tasks;		/* u32: the process, by thread */
	uint64_t samples, lost;
};

static void close_bundle(struct convert *c)
{
	if (c->cpu == NO_CPU)
		return;
	proto_close(&c->out, c->bundle);
	packet_close(&c->out, c->packet);
	c->cpu = NO_CPU;
}

static int hand_over(struct convert *c, size_t least, struct error *err)
{
	if (c->out.n < least)
		return 0;
	close_bundle(c);
	if (c->out.cut)
		return fail(err, "out of memory");
	fwrite(c->out.s, 1, c->out.n, c->to);
	c->out.n = 0;
	return 0;
}

/* ---- fields of a record ---- */

static bool read_number(const struct field *f, const struct recorded *rec, uint64_t *to)
{
	uint64_t v = 0;
	const unsigned int bits = 8 * f->size;

	if (f->is_array || f->is_data_loc || !f->size || f->size > 8 ||
	    f->offset > rec->event.size || f->size > rec->event.size - f->offset)
		return false;
	memcpy((char *)&v + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 8 - f->size : 0),
	       rec->event.record + f->offset, f->size);
	if (f->is_signed && bits < 64 && v >> (bits - 1))
		v |= ~0ULL << bits;
	*to = v;
	return true;
}

static bool read_chars(const struct field *f, const struct recorded *rec, const char **s, size_t *n)
{
	uint64_t at = f->offset, size = f->size;
	uint32_t where;

	if (strcmp(f->type, "char") || (!f->is_array && !f->is_data_loc))
		return false;
	if (f->is_data_loc) {
		if (f->offset > rec->event.size || rec->event.size - f->offset < sizeof(where))
			return false;
		memcpy(&where, rec->event.record + f->offset, sizeof(where));
		at = where & 0xffff;
		size = where >> 16;
	}
	if (at > rec->event.size || size > rec->event.size - at)
		return false;
	*s = (const char *)rec->event.record + at;
	*n = strnlen(*s, size);
	return true;
}

static void put_field(struct strbuf *to, const struct field *f, const struct recorded *rec,
		      unsigned int number, unsigned int text)
{
	const char *s;
	uint64_t v;
	size_t n;

	if (read_number(f, rec, &v))
		proto_number(to, number, v);
	else if (read_chars(f, rec, &s, &n))
		packet_text(to, text, s, n, false);
}

/* ---- events ---- */

static void begin(struct convert *c, uint64_t time)
{
	const struct wall *wall = recording_wall(c->recording);
	const struct packet_clocks clocks = {
		.time = time, .monotonic = -1, .boot = -1,
		.wall = wall->n ? wall_clock(wall, (int64_t)time) : -1,
	};
	size_t packet, system, names;

	c->begun = true;
	packet_clocks(&c->out, &clocks);
	packet = packet_open(&c->out);
	system = proto_open(&c->out, PACKET_SYSTEM);
	names = proto_open(&c->out, SYSTEM_NAMES);
	proto_string(&c->out, NAMES_SYSTEM, "Linux");
	proto_string(&c->out, NAMES_RELEASE, kernel_release(c->kernel));
	proto_close(&c->out, names);
	proto_close(&c->out, system);
	packet_close(&c->out, packet);
}

static void open_bundle(struct convert *c, uint32_t cpu)
{
	if (c->cpu == cpu)
		return;
	close_bundle(c);
	c->packet = packet_open(&c->out);
	c->bundle = proto_open(&c->out, PACKET_FTRACE);
	proto_number(&c->out, BUNDLE_CPU, cpu);
	c->cpu = cpu;
}

static void put_known(struct convert *c, const struct source_event *e, const struct recorded *rec,
		      uint64_t tid)
{
	size_t event, message;

	open_bundle(c, rec->cpu);
	event = proto_open(&c->out, BUNDLE_EVENT);
	proto_number(&c->out, FTRACE_TIME, rec->time);
	proto_number(&c->out, FTRACE_PID, tid);
	message = proto_open(&c->out, e->known->field);
	for (unsigned int i = 0; e->known->fields[i]; i++) {
		const struct field *f = format_field(e->format, e->known->fields[i]);

		if (f)
			put_field(&c->out, f, rec, i + 1, i + 1);
	}
	proto_close(&c->out, message);
	proto_close(&c->out, event);
}

/* A track with the event's name, for what happened in tasks whose process is unknown. */
static uint64_t event_track(struct convert *c, struct source_event *e, unsigned int number)
{
	size_t packet, track;

	if (e->track)
		return e->track;
	e->track = number + 1;
	packet = packet_open(&c->out);
	track = proto_open(&c->out, PACKET_TRACK);
	proto_number(&c->out, TRACK_UUID, e->track);
	proto_string(&c->out, TRACK_NAME, e->format->event);
	proto_close(&c->out, track);
	packet_close(&c->out, packet);
	return e->track;
}

/* Numbers above those of events, for a thread's track, which is told with its name. */
static uint64_t thread_track(uint32_t tid)
{
	return (1ULL << 32) + tid;
}

static void put_moment(struct convert *c, struct source_event *e, const struct recorded *rec,
		       uint64_t tid)
{
	const uint32_t key = (uint32_t)tid;
	uint64_t track;
	size_t packet, event;

	close_bundle(c);
	track = hash_find(&c->tasks, &key, sizeof(key)) ? thread_track(key) :
		event_track(c, e, rec->event.number);
	packet = packet_open_at(&c->out, rec->time);
	event = proto_open(&c->out, PACKET_EVENT);
	proto_number(&c->out, EVENT_TYPE, EVENT_INSTANT);
	proto_number(&c->out, EVENT_TRACK, track);
	proto_string(&c->out, EVENT_CATEGORY, e->format->system);
	proto_string(&c->out, EVENT_NAME, e->format->event);
	for (unsigned int i = 0; i < e->format->n_fields; i++) {
		const struct field *f = &e->format->fields[i];
		size_t argument;

		if (!strncmp(f->name, "common_", 7) && strcmp(f->name, "common_pid"))
			continue;
		argument = proto_open(&c->out, EVENT_ARGUMENT);
		proto_string(&c->out, ARGUMENT_NAME, f->name);
		put_field(&c->out, f, rec, ARGUMENT_NUMBER, ARGUMENT_STRING);
		proto_close(&c->out, argument);
	}
	proto_close(&c->out, event);
	packet_close(&c->out, packet);
}

static void put_thread(struct convert *c, uint32_t pid, uint32_t tid, const char *comm, size_t n)
{
	size_t packet, track, thread;

	close_bundle(c);
	packet = packet_open(&c->out);
	track = proto_open(&c->out, PACKET_TRACK);
	proto_number(&c->out, TRACK_UUID, thread_track(tid));
	thread = proto_open(&c->out, TRACK_THREAD_OF);
	proto_number(&c->out, THREAD_PID, pid);
	proto_number(&c->out, THREAD_TID, tid);
	if (n)
		packet_text(&c->out, THREAD_NAME, comm, n, false);
	proto_close(&c->out, thread);
	proto_close(&c->out, track);
	packet_close(&c->out, packet);
	if (tid == pid && n) {
		packet = packet_open(&c->out);
		track = proto_open(&c->out, PACKET_TRACK);
		proto_number(&c->out, TRACK_UUID, (2ULL << 32) + pid);
		thread = proto_open(&c->out, TRACK_PROCESS_OF);
		proto_number(&c->out, PROCESS_PID, pid);
		packet_text(&c->out, PROCESS_NAME, comm, n, false);
		proto_close(&c->out, thread);
		proto_close(&c->out, track);
		packet_close(&c->out, packet);
	}
}

/* Records before the first event have time 0: they are of tasks that were there. */
static void note_task(struct convert *c, const struct recorded *rec)
{
	uint32_t *pid;

	if (rec->kind == RECORDED_EXIT || !rec->tid || c->tasks.index.n >= TASKS_MOST)
		return;
	pid = hash_add(&c->tasks, &rec->tid, sizeof(rec->tid));
	if (!pid)
		return;
	*pid = rec->pid;
	if (rec->kind == RECORDED_NAME)
		put_thread(c, rec->pid, rec->tid, rec->name.comm,
			   strnlen(rec->name.comm, sizeof(rec->name.comm)));
	else
		put_thread(c, rec->pid, rec->tid, NULL, 0);
}

static void note_lost(struct convert *c, const struct recorded *rec)
{
	c->lost += rec->lost.count ? rec->lost.count : 1;
	open_bundle(c, rec->cpu);
	proto_number(&c->out, BUNDLE_LOST, 1);
	close_bundle(c);
}

static void put(struct convert *c, const struct recorded *rec)
{
	struct source_event *e;
	uint64_t tid;

	if (rec->kind == RECORDED_NEW || rec->kind == RECORDED_NAME || rec->kind == RECORDED_EXIT)
		note_task(c, rec);
	if (rec->kind == RECORDED_LOST)
		note_lost(c, rec);
	if (rec->kind != RECORDED_EVENT)
		return;
	e = &c->events[rec->event.number];
	c->samples += !e->format;
	if (!e->format || !e->pid || !read_number(e->pid, rec, &tid))
		return;
	if (!c->begun)
		begin(c, rec->time);
	if (e->known)
		put_known(c, e, rec, tid);
	else
		put_moment(c, e, rec, tid);
}

/* ---- the recording ---- */

static void find_event(struct convert *c, const struct recorded_event *from, struct source_event *e)
{
	const char *colon = from->name ? strchr(from->name, ':') : NULL;
	char *system = colon ? strndup(from->name, (size_t)(colon - from->name)) : NULL;

	if (system)
		e->format = kernel_format(c->kernel, system, colon + 1);
	free(system);
	if (e->format)
		e->pid = format_field(e->format, "common_pid");
	for (size_t i = 0; e->format && i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(known[i].name, from->name))
			e->known = &known[i];
}

static int read_all(struct convert *c, struct error *err)
{
	const struct recorded_event *events = recording_events(c->recording, &c->n_events);
	struct recorded rec;
	int result;

	c->events = calloc(c->n_events + 1, sizeof(*c->events));
	if (!c->events)
		return fail(err, "out of memory");
	for (unsigned int i = 0; i < c->n_events; i++)
		find_event(c, &events[i], &c->events[i]);
	while ((result = recording_next(c->recording, &rec, err)) > 0 && !stop_signal &&
	       !ferror(c->to)) {
		put(c, &rec);
		if (hand_over(c, ROUND, err))
			return -1;
	}
	return result < 0 ? -1 : hand_over(c, 1, err);
}

/* What the trace lacks of the recording, and the recording of what a reader shows. */
static void report(const struct convert *c)
{
	const struct lines *notes = recording_notes(c->recording);
	bool has[sizeof(known) / sizeof(known[0])] = { };

	for (unsigned int i = 0; i < c->n_events; i++)
		if (c->events[i].known)
			has[c->events[i].known - known] = true;
	if (c->samples)
		fprintf(sink_err(), "sonde: convert: %" PRIu64 " samples are left out: take --to "
				    "pprof, speedscope or folded for them\n", c->samples);
	if (c->lost)
		fprintf(sink_err(), "sonde: convert: the recording lost %" PRIu64 " events or "
				    "more\n", c->lost);
	if (!has[0])
		fputs("sonde: convert: the recording has no sched:sched_switch: the trace shows "
		      "no CPUs and no states of threads\n", sink_err());
	else if (!has[1] && !has[2])
		fputs("sonde: convert: the recording has no sched:sched_waking: wakers are "
		      "missing\n", sink_err());
	for (unsigned int i = 0; i < notes->n; i++)
		fprintf(sink_err(), "sonde: convert: %s\n", notes->list[i]);
}

int convert_perfetto(const char *file, FILE *to, struct error *err)
{
	struct convert c = { .to = to, .cpu = NO_CPU, .tasks.value_size = sizeof(uint32_t) };
	struct source source = { };
	int result = source_open(&source, file, NULL, &stop_signal, err);

	if (!result && !source.recording)
		result = fail(err, "convert: '%s' is no recording of perf, trace-cmd or sonde",
			      file);
	if (!result) {
		c.recording = source.recording;
		c.kernel = source_kernel(&source, NULL, err);
		result = c.kernel ? read_all(&c, err) : -1;
	}
	if (!result)
		report(&c);
	kernel_free(c.kernel);
	free(c.events);
	free(c.out.s);
	hash_clear(&c.tasks);
	source_close(&source);
	return result;
}
