// SPDX-License-Identifier: GPL-2.0
/* Histograms: slots of two sides, by the section. */
#include <string.h>

#include "src/commands/diff/reader.h"

static bool is_section(struct json name)
{
	static const char *const others[] = { "histogram", "unit", "time", "slots", "percentiles",
					      "avg", "total", "count" };

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strlen(others[i]) == name.n && !memcmp(others[i], name.s, name.n))
			return false;
	return true;
}

static int add_slots(struct diff_reader *r, enum diff_side side, int measure, struct json slots)
{
	struct json_walk w = json_walk(slots);
	struct diff_amount *a;
	struct json none, slot, low, high, count;
	int64_t n;

	if (diff_add(r, side, measure, 0))
		return -1;
	a = diff_amount(&r->table, r->key.s ? r->key.s : "", r->key.n, (unsigned int)measure);
	while (a && json_next(&w, &none, &slot)) {
		struct diff_slot s;

		if (!json_member(slot, "low", &low) || !json_integer(low, &s.low) ||
		    !json_member(slot, "count", &count) || !json_integer(count, &n) || n <= 0)
			continue;
		/* The last slot ends at the largest number there is. */
		if (!json_member(slot, "high", &high) || !json_integer(high, &s.high))
			s.high = INT64_MAX;
		s.count = (uint64_t)n;
		a->sum[side] += (double)n;
		if (diff_spread(&r->table, &a->spread[side], &s))
			return fail(r->err, "out of memory");
	}
	return a ? 0 : fail(r->err, "out of memory");
}

int diff_hist_line(struct diff_reader *r, enum diff_side side, struct json line)
{
	struct json_walk w = json_walk(line);
	char name[64] = "", unit[32] = "", section[64];
	struct json is, v, slots = { };
	int measure;

	r->lines[side]++;
	while (json_next(&w, &is, &v)) {
		const struct diff_member *m;

		if (!is_section(is) || !strchr("\"-0123456789n", *v.s) || is.n >= sizeof(section))
			continue;
		memcpy(section, is.s, is.n);
		section[is.n] = '\0';
		m = diff_key_member(r, section);
		if (m && m->use == USE_KEY)
			diff_key(r, m, v);
	}
	if (json_member(line, "histogram", &v))
		json_text(v, name, sizeof(name));
	if (json_member(line, "unit", &v))
		json_text(v, unit, sizeof(unit));
	json_member(line, "slots", &slots);
	measure = diff_measure(&r->table, name, unit, DIFF_COUNTS, true);
	r->crowded |= measure < 0;
	return measure < 0 ? 0 : add_slots(r, side, measure, slots);
}
