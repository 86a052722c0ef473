// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/stacks/moments.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/clock.h"

/* No sample waits so long for its column: a larger time is wrong. */
#define SECONDS_MOST 3600

struct taking {
	struct moments *m;
	const struct record_field *ms;
};

void moments_start(struct run *r, struct moments *m)
{
	int64_t now = (int64_t)run_now(r), wall = run_wall_clock(r, (uint64_t)now);

	m->began = wall - wall % NS_PER_SECOND;
	m->began_ms = (now - wall % NS_PER_SECOND) / 1000000;
}

static int room_for(struct moments *m, uint64_t second)
{
	const size_t n = second - m->next + 1;
	void *more;

	if (n <= m->n)
		return 0;
	more = realloc(m->waiting, n * sizeof(*m->waiting));
	if (!more)
		return -1;
	m->waiting = more;
	memset(m->waiting + m->n, 0, (n - m->n) * sizeof(*m->waiting));
	m->n = n;
	return 0;
}

/* A sample that comes after its second became a column is counted in the next column. */
static void add(void *arg, const void *key, const void *value)
{
	const struct taking *t = arg;
	struct moments *m = t->m;
	const uint32_t since = (uint32_t)field_number(t->ms, key) - (uint32_t)m->began_ms;
	uint64_t second = since / 1000, count;

	memcpy(&count, value, sizeof(count));
	if (second < m->next)
		second = m->next;
	if (second - m->next >= SECONDS_MOST || room_for(m, second)) {
		m->failed = true;
		return;
	}
	m->waiting[second - m->next][since % 1000 / HEAT_SLOT_MS] += count;
}

static void end_second(struct run *r, struct moments *m)
{
	static const uint64_t none[HEAT_SLOTS];

	heat_second(r, m->began + (int64_t)m->next * NS_PER_SECOND, m->n ? m->waiting[0] : none);
	m->next++;
	if (m->n)
		memmove(m->waiting, m->waiting + 1, --m->n * sizeof(*m->waiting));
}

int moments_show(struct run *r, struct moments *m, const char *map, struct error *err)
{
	struct taking t = { m, layout_field(run_key(r, map), "ms") };
	int64_t since = (int64_t)run_now(r) / 1000000 - m->began_ms;

	if (run_take(r, map, add, &t, err))
		return -1;
	if (m->failed)
		return fail(err, "out of memory");
	while ((int64_t)m->next * 1000 + 2000 <= since)
		end_second(r, m);
	while (r->time.stopped && m->n)
		end_second(r, m);
	return 0;
}

void moments_free(struct moments *m)
{
	free(m->waiting);
}
