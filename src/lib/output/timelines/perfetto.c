// SPDX-License-Identifier: GPL-2.0
/*
 * Perfetto's format (protos/perfetto/trace of github.com/google/perfetto): packets, each of which
 * stands for itself, so a file that ends early is whole up to there.
 */
#include <string.h>

#include "compat/base/protobuf.h"
#include "src/lib/output/timelines/packets.h"
#include "src/lib/output/timelines/timeline.h"

/* Tracks of processes have numbers of their own. */
static uint64_t process_id(int64_t pid)
{
	return timeline_id(1, &pid, sizeof(pid));
}

static uint64_t thread_id(int64_t pid, int64_t tid)
{
	const int64_t key[] = { pid, tid };

	return timeline_id(0, key, sizeof(key));
}

static void put_shown(struct strbuf *to, unsigned int field, const struct text *t)
{
	packet_text(to, field, t->s, t->length, t->cut);
}

static void put_clocks(struct timeline *t, const struct output_moment *now)
{
	const struct packet_clocks clocks = {
		.time = (uint64_t)now->engine, .monotonic = now->monotonic, .boot = now->boot,
		.wall = now->wall,
	};

	packet_clocks(&t->out, &clocks);
}

static void put_process(struct timeline *t, int64_t pid, int64_t ppid, const struct text *comm)
{
	const size_t packet = packet_open(&t->out), track = proto_open(&t->out, PACKET_TRACK);
	size_t process;

	proto_number(&t->out, TRACK_UUID, process_id(pid));
	process = proto_open(&t->out, TRACK_PROCESS_OF);
	proto_number(&t->out, PROCESS_PID, (uint64_t)pid);
	if (comm->s)
		put_shown(&t->out, PROCESS_NAME, comm);
	proto_close(&t->out, process);
	proto_close(&t->out, track);
	packet_close(&t->out, packet);
	if (ppid >= 0)
		packet_parent(&t->out, (uint64_t)pid, (uint64_t)ppid, comm->s,
			      comm->s ? comm->length : 0);
}

static void put_thread(struct timeline *t, int64_t pid, int64_t tid, const struct text *comm)
{
	const size_t packet = packet_open(&t->out), track = proto_open(&t->out, PACKET_TRACK);
	size_t thread;

	proto_number(&t->out, TRACK_UUID, thread_id(pid, tid));
	proto_number(&t->out, TRACK_PARENT, process_id(pid));
	thread = proto_open(&t->out, TRACK_THREAD_OF);
	proto_number(&t->out, THREAD_PID, (uint64_t)pid);
	proto_number(&t->out, THREAD_TID, (uint64_t)tid);
	if (comm->s)
		put_shown(&t->out, THREAD_NAME, comm);
	proto_close(&t->out, thread);
	proto_close(&t->out, track);
	packet_close(&t->out, packet);
}

static void put_lane(struct timeline *t, const struct track *of, uint64_t id)
{
	const char *name = of->kind == TRACK_NAMED ? of->name : t->lane_name;
	const size_t packet = packet_open(&t->out), track = proto_open(&t->out, PACKET_TRACK);

	proto_number(&t->out, TRACK_UUID, id);
	if (of->kind == TRACK_THREAD)
		proto_number(&t->out, TRACK_PARENT, of->id);
	else if (of->kind == TRACK_PROCESS)
		proto_number(&t->out, TRACK_PARENT, process_id(of->pid));
	packet_text(&t->out, TRACK_NAME, name, strlen(name), false);
	proto_close(&t->out, track);
	packet_close(&t->out, packet);
}

static void put_track(struct timeline *t, const struct track *track)
{
	put_lane(t, track, track->id);
}

static void put_argument(void *arg, const struct timeline_argument *a)
{
	struct strbuf *to = arg;
	const size_t at = proto_open(to, EVENT_ARGUMENT);

	proto_string(to, ARGUMENT_NAME, a->column->name);
	if (a->type == ARGUMENT_INTEGER)
		proto_number(to, ARGUMENT_NUMBER, (uint64_t)a->value.integer);
	else if (a->type == ARGUMENT_REAL)
		proto_real(to, ARGUMENT_DOUBLE, a->value.real);
	else
		put_shown(to, ARGUMENT_STRING, &a->value.text);
	proto_close(to, at);
}

static void put_event(struct timeline *t, const struct timeline_event *e)
{
	const uint64_t id = track_lane_id(e->track, e->lane);
	struct strbuf *to = &t->out;
	size_t packet, event;

	if (e->new_lane)
		put_lane(t, e->track, id);
	packet = packet_open_at(to, (uint64_t)e->begin);
	event = proto_open(to, PACKET_EVENT);
	proto_number(to, EVENT_TYPE, e->span ? EVENT_BEGIN : EVENT_INSTANT);
	proto_number(to, EVENT_TRACK, id);
	proto_string(to, EVENT_CATEGORY, t->lane_name);
	put_shown(to, EVENT_NAME, &e->name);
	timeline_each_argument(t, e->row, put_argument, to);
	proto_close(to, event);
	packet_close(to, packet);
	if (!e->span)
		return;
	packet = packet_open_at(to, (uint64_t)e->end);
	event = proto_open(to, PACKET_EVENT);
	proto_number(to, EVENT_TYPE, EVENT_END);
	proto_number(to, EVENT_TRACK, id);
	proto_close(to, event);
	packet_close(to, packet);
}

static void put_counter_track(struct timeline *t, const struct timeline_counter *c)
{
	const size_t packet = packet_open(&t->out), track = proto_open(&t->out, PACKET_TRACK);
	size_t counter;

	proto_number(&t->out, TRACK_UUID, c->id);
	packet_text(&t->out, TRACK_NAME, c->name, strlen(c->name), false);
	if (c->pid >= 0)
		proto_number(&t->out, TRACK_PARENT, process_id(c->pid));
	counter = proto_open(&t->out, TRACK_COUNTER);
	if (c->unit)
		proto_string(&t->out, COUNTER_UNIT, c->unit);
	proto_close(&t->out, counter);
	proto_close(&t->out, track);
	packet_close(&t->out, packet);
}

static void put_counter(struct timeline *t, const struct timeline_counter *c)
{
	size_t packet, event;

	if (c->first)
		put_counter_track(t, c);
	packet = packet_open_at(&t->out, (uint64_t)c->time);
	event = proto_open(&t->out, PACKET_EVENT);
	proto_number(&t->out, EVENT_TYPE, EVENT_COUNTER);
	proto_number(&t->out, EVENT_TRACK, c->id);
	if (c->real)
		proto_real(&t->out, EVENT_DOUBLE, c->value.real);
	else
		proto_number(&t->out, EVENT_VALUE, (uint64_t)c->value.integer);
	proto_close(&t->out, event);
	packet_close(&t->out, packet);
}

static const struct timeline_writer writer = {
	.begin = put_clocks, .process = put_process, .thread = put_thread, .track = put_track,
	.event = put_event, .counter = put_counter,
};

static int begin(struct output *o)
{
	return timeline_begin(o, &writer);
}

static const struct output_listener perfetto = {
	.begin = begin, .row = timeline_row, .hist = timeline_hist, .end = timeline_end,
	.free = timeline_free,
};

const struct output_format timeline_perfetto = {
	.title = "Perfetto", .writer = &perfetto, .objects = true,
};
