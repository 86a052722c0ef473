// SPDX-License-Identifier: GPL-2.0
/* Maps, sorted: lines and histograms for people, rows for machines. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "src/bt/show/show_internal.h"

bool bt_is_hist(const struct bt_map *m)
{
	return m->kind == BT_HIST || m->kind == BT_LHIST;
}

/* Values that are no numbers are not sorted by. */
static bool has_numbers(const struct bt_map *m)
{
	return m->kind != BT_VALUES || m->value.kind == BT_NUMBER;
}

static uint64_t divided(const struct map_show *s, uint64_t n)
{
	if (s->divisor <= 1 || !has_numbers(s->m))
		return n;
	return bt_is_signed(&s->m->value) ? (uint64_t)((int64_t)n / (int64_t)s->divisor) :
	       n / s->divisor;
}

static uint64_t total_of(const struct argdist_sums *s)
{
	return s->low + (s->high << 32);
}

static uint64_t average_of(const struct bt_map *m, const struct argdist_sums *s)
{
	if (!s->count)
		return 0;
	return bt_is_signed(&m->value) ? (uint64_t)((int64_t)total_of(s) / (int64_t)s->count) :
	       total_of(s) / s->count;
}

uint64_t bt_number_of(const struct bt_map *m, const union bt_amount *a)
{
	switch (m->kind) {
	case BT_SUM:
		return total_of(&a->sums);
	case BT_MIN:
		return a->sums.min;
	case BT_MAX:
		return a->sums.max;
	case BT_AVG:
	case BT_STATS:
		return average_of(m, &a->sums);
	default:
		return a->number;
	}
}

struct bt_shown bt_part_of(const struct bt_map *m, const uint8_t *key, unsigned int i)
{
	struct bt_shown v = { .shape = m->keys[i] };
	const char *at = (const char *)key + bt_key_offset(m, i);

	memcpy(&v.bits, at, sizeof(v.bits));
	if (v.shape.kind == BT_TEXT)
		v.text = bt_kept_text(at, &v.shape);
	if (v.shape.kind == BT_STACK)
		v.text = bt_word((const char *)(uintptr_t)v.bits);
	return v;
}

unsigned int bt_values_of(const struct map_show *s, const struct bt_row *row,
			  struct bt_shown list[BT_KEYS])
{
	const struct bt_map *m = s->m;

	for (unsigned int i = 0; m->value.kind == BT_TUPLE && i < m->n_parts; i++) {
		const char *at = row->text + bt_part_offset(m, i);

		list[i] = (struct bt_shown){ .shape = m->parts[i] };
		memcpy(&list[i].bits, at, sizeof(list[i].bits));
		if (m->parts[i].kind == BT_TEXT)
			list[i].text = bt_kept_text(at, &m->parts[i]);
	}
	if (m->value.kind == BT_TUPLE)
		return m->n_parts;
	list[0] = (struct bt_shown){ .shape = m->value, .bits = divided(s, row->amount.number) };
	if (m->value.kind == BT_TEXT)
		list[0].text = bt_kept_text(row->text, &m->value);
	if (bt_keeps_stacks(m)) {
		memcpy(&list[0].bits, row->text, sizeof(list[0].bits));
		list[0].text = bt_word((const char *)(uintptr_t)list[0].bits);
	}
	return 1;
}

static int compare_numbers(uint64_t a, uint64_t b, bool is_signed)
{
	if (a == b)
		return 0;
	return (is_signed ? (int64_t)a < (int64_t)b : a < b) ? -1 : 1;
}

static int compare_keys(const struct map_show *s, const uint8_t *a, const uint8_t *b)
{
	for (unsigned int i = 0; i < s->m->n_keys; i++) {
		const struct bt_shown x = bt_part_of(s->m, a, i), y = bt_part_of(s->m, b, i);
		struct text t, u;
		int result;

		if (x.shape.kind == BT_NUMBER || x.shape.kind == BT_SHOWN) {
			result = compare_numbers(x.bits, y.bits, bt_is_signed(&x.shape));
		} else {
			t = bt_shown_text(s->b, &x);
			u = bt_shown_text(s->b, &y);
			result = memcmp(t.s, u.s, t.length < u.length ? t.length : u.length);
			result = result ? result : (t.length > u.length) - (t.length < u.length);
		}
		if (result)
			return result;
	}
	return 0;
}

static int by_rank(const void *a, const void *b, void *arg)
{
	const struct map_show *s = arg;
	const struct group *x = a, *y = b;
	const bool is_signed = bt_is_signed(&s->m->value) && !bt_has_slots(s->m);
	const int result = has_numbers(s->m) ? compare_numbers(x->rank, y->rank, is_signed) : 0;

	return result ? result : compare_keys(s, x->rows->key, y->rows->key);
}

/* Of a histogram how many values it has, of a series its newest interval, which is its number. */
static uint64_t joined_rank(const struct bt_map *m, uint64_t rank, const struct bt_row *row)
{
	if (m->kind != BT_SERIES)
		return rank + row->amount.number;
	return row->amount.point.epoch > rank ? row->amount.point.epoch : rank;
}

/* Rows of one histogram follow each other: they are sorted by key, and the slot is its end. */
static int make_groups(struct map_show *s)
{
	struct bt_table *t = s->m->table;
	const unsigned int key = bt_key_size(s->m);

	bt_table_join(t);
	s->groups = calloc(t->n + 1, sizeof(*s->groups));
	if (!s->groups || t->failed)
		return -1;
	for (size_t i = 0; i < t->n; i++) {
		const struct bt_row *row = &t->rows[i];
		struct group *last = s->n ? &s->groups[s->n - 1] : NULL;

		if (bt_has_slots(s->m) && last && !memcmp(last->rows->key, row->key, key)) {
			last->n++;
			last->rank = joined_rank(s->m, last->rank, row);
			continue;
		}
		s->groups[s->n++] = (struct group){ row, 1, bt_number_of(s->m, &row->amount) };
	}
	for (size_t i = 0; i < s->n; i++)
		s->newest = s->groups[i].rank > s->newest ? s->groups[i].rank : s->newest;
	qsort_r(s->groups, s->n, sizeof(*s->groups), by_rank, s);
	return 0;
}

static void put_key(FILE *to, const struct map_show *s, const uint8_t *key, bool people)
{
	struct bt_shown list[BT_KEYS];

	for (unsigned int i = 0; i < s->m->n_keys; i++)
		list[i] = bt_part_of(s->m, key, i);
	bt_put_values(to, s->b, list, s->m->n_keys, people);
}

void bt_stats_of(const struct map_show *s, const union bt_amount *a, uint64_t *average,
		 uint64_t *total)
{
	*average = divided(s, average_of(s->m, &a->sums));
	*total = divided(s, total_of(&a->sums));
}

static void put_stats(FILE *to, const struct map_show *s, const union bt_amount *a)
{
	static const char *const texts[][4] = {
		{ "{ .count = ", ", .average = ", ", .total = ", " }" },
		{ "count ", ", average ", ", total ", "" },
	};
	const char *const *around = texts[s->b->old];
	const struct bt_shape shape = bt_number_shape(bt_is_signed(&s->m->value));
	uint64_t average, total;

	bt_stats_of(s, a, &average, &total);
	fprintf(to, "%s%" PRIu64 "%s", around[0], a->sums.count, around[1]);
	bt_put_number(to, &shape, average);
	fputs(around[2], to);
	bt_put_number(to, &shape, total);
	fputs(around[3], to);
}

void bt_put_amount(FILE *to, const struct map_show *s, const struct bt_row *row, bool people)
{
	const union bt_amount *a = &row->amount;
	const struct bt_shape shape = bt_number_shape(bt_is_signed(&s->m->value));
	struct bt_shown list[BT_KEYS];

	if (s->m->kind == BT_VALUES) {
		bt_put_values(to, s->b, list, bt_values_of(s, row, list), people);
		return;
	}
	if (s->m->kind == BT_STATS) {
		put_stats(to, s, a);
		return;
	}
	bt_put_number(to, &shape, divided(s, bt_number_of(s->m, a)));
}

int bt_fill_hist(const struct map_show *s, const struct group *g, struct bt_hist *h)
{
	h->n = bt_hist_rows(s->m);
	h->counts = calloc(h->n, sizeof(*h->counts));
	if (!h->counts)
		return -1;
	for (size_t i = 0; i < g->n; i++) {
		uint64_t slot;

		memcpy(&slot, g->rows[i].key + bt_key_size(s->m), sizeof(slot));
		h->counts[bt_hist_row(s->m, slot)] += g->rows[i].amount.number;
	}
	for (unsigned int i = 0; s->m->kind == BT_HIST && s->divisor > 1 && i < h->n; i++)
		h->counts[i] /= s->divisor;
	return 0;
}

/* For people: a line, or a histogram. */
static int put_group(FILE *to, const struct map_show *s, const struct group *g)
{
	struct bt_intervals intervals;
	struct bt_hist h;

	fputs(s->m->name, to);
	if (s->m->n_keys) {
		fputc('[', to);
		put_key(to, s, g->rows->key, true);
		fputc(']', to);
	}
	if (!bt_has_slots(s->m)) {
		fputs(": ", to);
		bt_put_amount(to, s, g->rows, true);
		fputc('\n', to);
		return 0;
	}
	fputs(":\n", to);
	if (s->m->kind == BT_SERIES) {
		if (bt_fill_series(s, g, &intervals))
			return -1;
		bt_series_show(to, s, &intervals);
		free(intervals.list);
		return 0;
	}
	if (bt_fill_hist(s, g, &h))
		return -1;
	bt_hist_show(to, s->m, &h, s->b->old);
	free(h.counts);
	return 0;
}

/* For machines: a row for each interval, whose beginning is `low`, in ns since 1970. */
static int put_intervals(struct map_show *s, const struct group *g, struct bt_line *line)
{
	struct bt_intervals all;

	if (bt_fill_series(s, g, &all))
		return -1;
	line->type = bt_word("tseries");
	for (size_t i = 0; i < all.n; i++) {
		char text[24];

		if (!all.list[i].count)
			continue;
		snprintf(text, sizeof(text), "%" PRId64, bt_series_value(s->m, &all.list[i]));
		line->value = bt_word(text);
		line->value.is_number = true;
		line->low = (int64_t)bt_series_time(s->m, &all.list[i]);
		line->high = line->low + (int64_t)s->m->series.length - 1;
		output_row(s->o, line);
	}
	free(all.list);
	return 0;
}

/* For machines: a row, or a row for each row of a histogram that has a count. */
static int put_rows(struct map_show *s, const struct group *g, struct bt_line *line)
{
	struct bt_hist h;

	if (s->m->kind == BT_SERIES)
		return put_intervals(s, g, line);
	if (!bt_is_hist(s->m)) {
		line->type = bt_word("map");
		output_row(s->o, line);
		return 0;
	}
	if (bt_fill_hist(s, g, &h))
		return -1;
	line->type = bt_word("hist");
	line->value = (struct text){ };
	for (unsigned int i = 0; i < h.n; i++) {
		if (!h.counts[i])
			continue;
		bt_hist_bounds(s->m, i, &line->low, &line->high);
		line->count = (int64_t)h.counts[i];
		output_row(s->o, line);
	}
	free(h.counts);
	return 0;
}

static int show_group(struct map_show *s, const struct group *g)
{
	const bool people = output_for_people(s->o);
	char *texts[2] = { NULL, NULL };
	size_t sizes[2];
	FILE *key = open_memstream(&texts[0], &sizes[0]),
	     *value = open_memstream(&texts[1], &sizes[1]);
	struct bt_line line = {
		.map = bt_word(s->m->name), .low = NOTHING, .high = NOTHING, .count = NOTHING,
	};
	int result = key && value ? 0 : -1;

	if (key && !people)
		put_key(key, s, g->rows->key, false);
	if (value && people)
		result = put_group(value, s, g);
	else if (value)
		bt_put_amount(value, s, g->rows, false);
	if ((key && fclose(key)) || (value && fclose(value)))
		result = -1;
	if (!result && people)
		output_picture(s->o, texts[1], sizes[1]);
	else if (!result) {
		line.key = s->m->n_keys ? bt_text_in(texts[0], sizes[0]) : (struct text){ };
		line.value = bt_text_in(texts[1], sizes[1]);
		line.value.is_number = s->m->kind != BT_STATS && has_numbers(s->m) &&
				       !s->m->value.number.is_pointer;
		result = put_rows(s, g, &line);
	}
	free(texts[0]);
	free(texts[1]);
	return result;
}

int bt_sorted_rows(const struct bt *b, const struct bt_map *m, struct bt_row **rows, size_t *n)
{
	struct map_show s = { .b = b, .m = m };
	const size_t key = bt_whole_key_size(m), text = bt_text_size(m);
	int result = make_groups(&s);

	*n = 0;
	*rows = result ? NULL : calloc(s.n + 1, sizeof(**rows));
	for (size_t i = 0; *rows && i < s.n; i++) {
		struct bt_row *row = &(*rows)[*n];

		*row = *s.groups[i].rows;
		row->key = malloc(key + text);
		if (!row->key)
			result = -1;
		if (result)
			break;
		memcpy(row->key, s.groups[i].rows->key, key + text);
		row->text = text ? (char *)row->key + key : NULL;
		++*n;
	}
	free(s.groups);
	return *rows ? result : -1;
}

void bt_rows_free(struct bt_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(rows[i].key);
	free(rows);
}

/* In older versions a blank line is behind averages, and for a map that has keys and no entry. */
static bool ends_with_blank(const struct map_show *s)
{
	return s->m->kind == BT_AVG || s->m->kind == BT_STATS || (!s->n && s->m->n_keys);
}

int bt_show_map(struct output *o, const struct bt *b, const struct bt_map *m, uint64_t top,
		uint64_t divisor)
{
	struct map_show s = { .o = o, .b = b, .m = m, .divisor = divisor };
	int result = make_groups(&s);
	const size_t from = top && top < s.n ? s.n - top : 0;

	for (unsigned int turn = 0; output_turn(o, &turn);) {
		const bool json = bt_shows_json(o, b);

		if (!result && json)
			result = bt_json_map(&s, from);
		for (size_t i = from; !result && !json && i < s.n; i++)
			result = show_group(&s, &s.groups[i]);
	}
	if (b->old && !b->json && output_for_people(o) && ends_with_blank(&s))
		output_picture(o, "\n", 1);
	free(s.groups);
	return result;
}
