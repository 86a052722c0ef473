// SPDX-License-Identifier: GPL-2.0
#include "src/session/schedule.h"

#include "compat/base/clock.h"
#include "src/run/options/common.h"
#include "src/run/run.h"

static int64_t interval_of(const struct run *r)
{
	const int64_t asked = common_of(r->options)->interval;

	return run_listeners_every(r, (asked ? asked : r->tool->interval) * NS_PER_SECOND);
}

static int64_t count_of(const struct run *r)
{
	return r->tool->shape == SHAPE_INTERVALS ? common_of(r->options)->count : 0;
}

int64_t schedule_length(const struct run *r)
{
	const int64_t duration = common_of(r->options)->duration, interval = interval_of(r),
		      count = count_of(r);
	const int64_t end = duration ? duration * NS_PER_SECOND : INT64_MAX;

	return count && interval && count < end / interval ? count * interval : end;
}

struct schedule schedule_of(struct run *r, int64_t now)
{
	int64_t duration = common_of(r->options)->duration;
	struct schedule s = {
		.interval = interval_of(r),
		.left = count_of(r),
		.end = duration ? now + duration * NS_PER_SECOND : INT64_MAX,
		.next = INT64_MAX,
		.due = INT64_MAX,
	};

	if (s.interval)
		s.next = now + s.interval;
	if (r->tool->due)
		s.due = r->tool->due(r, now);
	return s;
}

void schedule_due(struct schedule *s, struct run *r, int64_t now)
{
	if (now >= s->due)
		s->due = r->tool->due(r, now);
}

uint64_t schedule_until(const struct schedule *s)
{
	const int64_t until = s->next < s->end ? s->next : s->end;

	return (uint64_t)(s->due < until ? s->due : until);
}

bool schedule_renews(struct schedule *s, int64_t now)
{
	if (now < s->renewal)
		return false;
	s->renewal = now + NS_PER_SECOND;
	return now < s->next;
}

void schedule_next(struct schedule *s, int64_t now)
{
	s->left -= s->left > 0;
	while (s->next <= now)
		s->next += s->interval;
}
