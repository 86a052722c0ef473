// SPDX-License-Identifier: GPL-2.0
/* Series of intervals, tseries(), in bpftrace's layout. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/clock.h"
#include "compat/base/text.h"
#include "src/bt/show/show_internal.h"

#define GRAPH 53			/* columns */
#define SMALLEST 21			/* columns of the smallest value above the graph */

/* ---- intervals ---- */

static uint64_t oldest_of(const struct map_show *s, const struct group *g)
{
	const uint64_t n = s->m->series.n;
	uint64_t oldest = UINT64_MAX;

	for (size_t i = 0; i < g->n; i++) {
		const struct bt_point *p = &g->rows[i].amount.point;

		if (p->count && s->newest - p->epoch < n && p->epoch < oldest)
			oldest = p->epoch;
	}
	return oldest;
}

static void add(const struct bt_map *m, struct bt_point *to, const union bt_amount *from)
{
	union bt_amount sum = { .point = *to };

	bt_amount_add(m, &sum, from);
	*to = sum.point;
}

/* From the oldest interval that the series has to the newest one of all series of the map. */
int bt_fill_series(const struct map_show *s, const struct group *g, struct bt_intervals *to)
{
	const uint64_t oldest = oldest_of(s, g);

	*to = (struct bt_intervals){ };
	if (oldest == UINT64_MAX)
		return 0;
	to->n = (size_t)(s->newest - oldest + 1);
	to->list = calloc(to->n, sizeof(*to->list));
	if (!to->list)
		return -1;
	for (size_t i = 0; i < to->n; i++)
		to->list[i].epoch = oldest + i;
	for (size_t i = 0; i < g->n; i++) {
		const union bt_amount *from = &g->rows[i].amount;

		if (from->point.count && from->point.epoch >= oldest)
			add(s->m, &to->list[from->point.epoch - oldest], from);
	}
	return 0;
}

uint64_t bt_series_time(const struct bt_map *m, const struct bt_point *p)
{
	return p->epoch * m->series.length;
}

int64_t bt_series_value(const struct bt_map *m, const struct bt_point *p)
{
	if (m->series.way != BT_SERIES_AVG || !p->count)
		return (int64_t)p->value;
	return bt_is_signed(&m->value) ? (int64_t)p->value / (int64_t)p->count :
	       (int64_t)(p->value / p->count);
}

/* ---- for people ---- */

/* Digits behind the seconds: as many as the length of an interval needs. */
static unsigned int digits_of(const struct bt_map *m)
{
	return m->series.length % NS_PER_SECOND == 0 ? 0 : m->series.length % NS_PER_MS == 0 ? 3 :
	       m->series.length % 1000 == 0 ? 6 : 9;
}

/* The time of an interval, with so many digits behind the seconds. */
static void put_time(FILE *to, const struct map_show *s, const struct bt_point *p,
		     const char *format, unsigned int digits)
{
	const uint64_t ns = bt_series_time(s->m, p);
	uint64_t rest = ns % NS_PER_SECOND;

	bt_put_time(to, s->b->run, format, (int64_t)ns);
	for (unsigned int i = digits; i < 9; i++)
		rest /= 10;
	if (digits)
		fprintf(to, ".%0*" PRIu64, (int)digits, rest);
}

struct scale {
	int64_t least, most;
	int zero;			/* its column; 0: it is not within */
};

static float distance(int64_t from, int64_t to)
{
	return (float)((uint64_t)to - (uint64_t)from);
}

static struct scale scale_of(const struct bt_map *m, const struct bt_intervals *all)
{
	struct scale s = { INT64_MAX, INT64_MIN, 0 };

	for (size_t i = 0; i < all->n; i++) {
		const int64_t value = bt_series_value(m, &all->list[i]);

		if (!all->list[i].count)
			continue;
		s.least = value < s.least ? value : s.least;
		s.most = value > s.most ? value : s.most;
	}
	if (s.least == s.most) {	/* room on both sides of a number */
		s.least -= s.least != (bt_is_signed(&m->value) ? INT64_MIN : 0);
		s.most += s.most != INT64_MAX;
	}
	if (s.least < 0 && s.most > 0)
		s.zero = (int)(GRAPH * distance(s.least, 0) / distance(s.least, s.most));
	return s;
}

static void put_bounds(FILE *to, const struct scale *s, unsigned int before)
{
	fprintf(to, "%*s%-*" PRId64 "%*" PRId64 "\n", (int)before, "", SMALLEST, s->least,
		GRAPH - SMALLEST, s->most);
}

static void put_point(FILE *to, const struct bt_map *m, const struct bt_point *p,
		      const struct scale *s)
{
	const int64_t value = bt_series_value(m, p);
	char line[GRAPH + 1];
	int at;

	memset(line, ' ', GRAPH);
	line[GRAPH] = '\0';
	line[0] = line[GRAPH - 1] = '|';
	if (s->zero > 0)
		line[s->zero] = '.';
	if (!p->count) {
		fprintf(to, " %s -\n", line);
		return;
	}
	at = (int)((GRAPH - 1) * distance(s->least, value) / distance(s->least, s->most));
	line[at < 0 ? 0 : at < GRAPH ? at : GRAPH - 1] = '*';
	fprintf(to, " %s %" PRId64 "\n", line, value);
}

void bt_series_show(FILE *to, const struct map_show *of, const struct bt_intervals *all)
{
	static const char *const units[] = { "", ".ms", ".us", ".ns" };
	const struct bt_map *m = of->m;
	const unsigned int digits = digits_of(m), before = 8 + (digits ? digits + 1 : 0);
	const struct scale s = scale_of(m, all);
	char edge[GRAPH + 1], head[16];

	if (!all->n) {
		fputs("<no data>\n", to);
		return;
	}
	memset(edge, '_', GRAPH);
	edge[GRAPH] = '\0';
	edge[0] = edge[GRAPH - 1] = '|';
	put_bounds(to, &s, before + 1);
	text_cut(head, sizeof(head), "hh:mm:ss%s", units[digits / 3]);
	fprintf(to, "%-*s %s\n", (int)before, head, edge);
	for (size_t i = 0; i < all->n; i++) {
		put_time(to, of, &all->list[i], "%H:%M:%S", digits);
		put_point(to, m, &all->list[i], &s);
	}
	edge[0] = edge[GRAPH - 1] = 'v';
	fprintf(to, "%*s %s\n", (int)before, "", edge);
	put_bounds(to, &s, before + 1);
	fputc('\n', to);
}

/* ---- JSON ---- */

void bt_series_json(struct jsonw *w, const struct map_show *of, const struct bt_intervals *all)
{
	jsonw_open(w, NULL, '[');
	for (size_t i = 0; i < all->n; i++) {
		if (!all->list[i].count)
			continue;
		jsonw_open(w, NULL, '{');
		jsonw_name(w, "interval_start");
		fputc('"', w->to);
		put_time(w->to, of, &all->list[i], "%F %H:%M:%S", 9);
		fputc('"', w->to);
		jsonw_integer(w, "value", bt_series_value(of->m, &all->list[i]));
		jsonw_close(w, '}');
	}
	jsonw_close(w, ']');
}
