// SPDX-License-Identifier: GPL-2.0
/* bpftrace's JSON: a line for each map. */
#include <inttypes.h>
#include <stdlib.h>

#include "src/bt/show/show_internal.h"
#include "src/lib/output/records.h"

static void json_hist(FILE *to, const struct map_show *s, const struct group *g)
{
	const char *between = "";
	unsigned int first = 0, end;
	struct bt_hist h;

	if (bt_fill_hist(s, g, &h))
		return;
	for (end = h.n; end && !h.counts[end - 1];)
		end--;
	while (first < end && !h.counts[first])
		first++;
	fputc('[', to);
	for (unsigned int i = first; i < end; i++, between = ", ") {
		int64_t low, high;

		bt_hist_bounds(s->m, i, &low, &high);
		fprintf(to, "%s{", between);
		if (low != NOTHING)
			fprintf(to, "\"min\": %" PRId64 ", ", low);
		if (high != NOTHING)
			fprintf(to, "\"max\": %" PRId64 ", ", high);
		fprintf(to, "\"count\": %" PRIu64 "}", h.counts[i]);
	}
	fputc(']', to);
	free(h.counts);
}

static void json_series(FILE *to, const struct map_show *s, const struct group *g)
{
	struct bt_intervals intervals;

	if (bt_fill_series(s, g, &intervals))
		return;
	bt_series_json(to, s, &intervals);
	free(intervals.list);
}

static void json_key(FILE *to, const struct map_show *s, const uint8_t *key)
{
	char *text = NULL;
	size_t n;
	FILE *all = open_memstream(&text, &n);

	for (unsigned int i = 0; all && i < s->m->n_keys; i++) {
		const struct bt_shown v = bt_part_of(s->m, key, i);

		fputs(i ? "," : "", all);
		bt_put_around(all, v.shape.before, BT_AROUND_KEY);
		bt_put_value(all, s->b, &v, false);
		bt_put_around(all, v.shape.behind, BT_AROUND_KEY);
	}
	if (all && !fclose(all))
		escape_json(to, text, n);
	free(text);
}

static void json_amount(FILE *to, const struct map_show *s, const struct group *g)
{
	static const char *const texts[] = {
		"{\"count\": ", ", \"average\": ", ", \"total\": ", "}",
	};
	struct bt_shown list[BT_KEYS];

	if (bt_is_hist(s->m)) {
		json_hist(to, s, g);
		return;
	}
	if (s->m->kind == BT_SERIES) {
		json_series(to, s, g);
		return;
	}
	if (s->m->kind == BT_STATS) {
		bt_put_stats(to, s, &g->rows->amount, texts);
		return;
	}
	if (s->m->kind == BT_VALUES)
		bt_json_values(to, s->b, list, bt_values_of(s, g->rows, list));
	else
		bt_put_amount(to, s, g->rows, false);
}

int bt_json_map(const struct map_show *s, size_t from)
{
	const char *type = bt_is_hist(s->m) ? "hist" : s->m->kind == BT_SERIES ? "tseries" :
			   s->m->kind == BT_STATS || s->m->kind == BT_AVG ? "stats" : "map";
	char *line = NULL;
	size_t size;
	FILE *to = s->n ? open_memstream(&line, &size) : NULL;

	if (!to)
		return s->n ? -1 : 0;
	fprintf(to, "{\"type\": \"%s\", \"data\": {\"%s\": %s", type, s->m->name,
		s->m->n_keys ? "{" : "");
	for (size_t i = from; i < s->n; i++) {
		fputs(i > from ? ", " : "", to);
		if (s->m->n_keys) {
			json_key(to, s, s->groups[i].rows->key);
			fputs(": ", to);
		}
		json_amount(to, s, &s->groups[i]);
	}
	fprintf(to, "%s}}\n", s->m->n_keys ? "}" : "");
	if (!fclose(to))
		output_picture(s->o, line, size);
	free(line);
	return 0;
}
