// SPDX-License-Identifier: GPL-2.0
/* bpftrace's JSON: a line for each map. */
#include <stdlib.h>

#include "src/bt/show/show_internal.h"
#include "src/lib/output/records.h"

static void json_hist(struct jsonw *w, const struct map_show *s, const struct group *g)
{
	unsigned int first = 0, end;
	struct bt_hist h;

	if (bt_fill_hist(s, g, &h))
		return;
	for (end = h.n; end && !h.counts[end - 1];)
		end--;
	while (first < end && !h.counts[first])
		first++;
	jsonw_open(w, NULL, '[');
	for (unsigned int i = first; i < end; i++) {
		int64_t low, high;

		bt_hist_bounds(s->m, i, &low, &high);
		jsonw_open(w, NULL, '{');
		if (low != NOTHING)
			jsonw_integer(w, "min", low);
		if (high != NOTHING)
			jsonw_integer(w, "max", high);
		jsonw_unsigned(w, "count", h.counts[i]);
		jsonw_close(w, '}');
	}
	jsonw_close(w, ']');
	free(h.counts);
}

static void json_series(struct jsonw *w, const struct map_show *s, const struct group *g)
{
	struct bt_intervals intervals;

	if (bt_fill_series(s, g, &intervals))
		return;
	bt_series_json(w, s, &intervals);
	free(intervals.list);
}

static void json_stats(struct jsonw *w, const struct map_show *s, const union bt_amount *a)
{
	const struct bt_shape shape = bt_number_shape(bt_is_signed(&s->m->value));
	uint64_t average, total;

	bt_stats_of(s, a, &average, &total);
	jsonw_open(w, NULL, '{');
	jsonw_unsigned(w, "count", a->sums.count);
	jsonw_name(w, "average");
	bt_put_number(w->to, &shape, average);
	jsonw_name(w, "total");
	bt_put_number(w->to, &shape, total);
	jsonw_close(w, '}');
}

static void json_key(struct jsonw *w, const struct map_show *s, const uint8_t *key)
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
		jsonw_key(w, text, n);
	free(text);
}

static void json_amount(struct jsonw *w, const struct map_show *s, const struct group *g)
{
	struct bt_shown list[BT_KEYS];

	if (bt_is_hist(s->m))
		json_hist(w, s, g);
	else if (s->m->kind == BT_SERIES)
		json_series(w, s, g);
	else if (s->m->kind == BT_STATS)
		json_stats(w, s, &g->rows->amount);
	else if (s->m->kind == BT_VALUES)
		bt_json_values(w->to, s->b, list, bt_values_of(s, g->rows, list));
	else
		bt_put_amount(w->to, s, g->rows, false);
}

int bt_json_map(const struct map_show *s, size_t from)
{
	const char *type = bt_is_hist(s->m) ? "hist" : s->m->kind == BT_SERIES ? "tseries" :
			   s->m->kind == BT_STATS || s->m->kind == BT_AVG ? "stats" : "map";
	struct jsonw w = { .spaced = true };
	char *line = NULL;
	size_t size;

	w.to = s->n ? open_memstream(&line, &size) : NULL;
	if (!w.to)
		return s->n ? -1 : 0;
	jsonw_open(&w, NULL, '{');
	jsonw_text(&w, "type", type);
	jsonw_open(&w, "data", '{');
	jsonw_name(&w, s->m->name);
	if (s->m->n_keys)
		jsonw_open(&w, NULL, '{');
	for (size_t i = from; i < s->n; i++) {
		if (s->m->n_keys)
			json_key(&w, s, s->groups[i].rows->key);
		json_amount(&w, s, &s->groups[i]);
	}
	if (s->m->n_keys)
		jsonw_close(&w, '}');
	jsonw_close(&w, '}');
	jsonw_end(&w);
	if (!fclose(w.to))
		output_picture(s->o, line, size);
	free(line);
	return 0;
}
