// SPDX-License-Identifier: GPL-2.0
/* Times of a run: of its records, of its intervals, and of day. */
#include "src/run/run.h"

int64_t run_since_start(struct run *r, uint64_t time)
{
	if (!r->time.first)
		r->time.first = time;
	return (int64_t)(time - r->time.first);
}

static int64_t clock_at(struct run *r, uint64_t time)
{
	if (r->time.wall.on && (int64_t)time > r->time.wall.seen)
		wall_look(&r->time.wall);
	return wall_clock(&r->time.wall, (int64_t)time);
}

int64_t run_wall_clock(struct run *r, uint64_t time)
{
	r->time.shown = true;
	return clock_at(r, time);
}

struct date run_local(const struct run *r, int64_t ns)
{
	return date_local(&r->time.zone, ns);
}

uint64_t run_now(const struct run *r)
{
	return r->backend->now(r->engine);
}

void run_wall_look(struct run *r)
{
	if (r->backend->wall) {
		r->backend->wall(r->engine, &r->time.wall);
		return;
	}
	r->time.wall.on = true;
	wall_look(&r->time.wall);
}

void run_intervals_begin(struct run *r, int64_t now)
{
	r->time.started = (uint64_t)now;
	r->time.interval.ended = now;
}

void run_interval_ended(struct run *r, int64_t now)
{
	r->time.interval.clock = clock_at(r, (uint64_t)now);
	r->time.interval.began = r->time.interval.ended;
	r->time.interval.ended = now;
}

int64_t run_interval_clock(struct run *r)
{
	r->time.shown = true;
	return r->time.interval.clock;
}

int64_t run_interval_began(const struct run *r)
{
	return r->time.interval.began;
}

int64_t run_interval_length(const struct run *r)
{
	return r->time.interval.ended - r->time.interval.began;
}

uint64_t run_stopped(const struct run *r)
{
	return r->time.stopped;
}
