// SPDX-License-Identifier: GPL-2.0
#include "src/session/schedule.h"

#include "compat/base/clock.h"
#include "src/run/options/common.h"
#include "src/run/run.h"

struct schedule schedule_of(struct run *r, int64_t now)
{
	int64_t duration = common_of(r->options)->duration;
	struct schedule s = {
		.end = duration ? now + duration * NS_PER_SECOND : INT64_MAX,
		.next = INT64_MAX,
		.due = INT64_MAX,
	};

	s.interval = common_of(r->options)->interval * NS_PER_SECOND;
	if (!s.interval)
		s.interval = r->tool->interval * NS_PER_SECOND;
	s.interval = run_listeners_every(r, s.interval);
	if (r->tool->shape == SHAPE_INTERVALS)
		s.left = common_of(r->options)->count;
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
