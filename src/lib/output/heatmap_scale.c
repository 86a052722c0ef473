// SPDX-License-Identifier: GPL-2.0
/* The axes of heat maps: slots folded to rows, counts to levels, and what is beside them. */
#include <string.h>

#include "compat/base/clock.h"
#include "compat/base/text.h"
#include "compat/time/date.h"
#include "src/lib/output/heatmap.h"

/* Rows are numbered as slots are, but with `sub` of them for each power of two. */
static unsigned int sub_row(uint64_t value, unsigned int sub)
{
	unsigned int power, bits = __builtin_ctz(sub);

	if (value < sub)
		return value;
	power = 63 - __builtin_clzll(value) - bits;
	return power * sub + (value >> power);
}

static uint64_t sub_low(unsigned int row, unsigned int sub)
{
	return row < sub ? row : (uint64_t)(sub + row % sub) << (row / sub - 1);
}

unsigned int heatmap_slot(uint64_t value)
{
	return sub_row(value, HIST_SUB);
}

unsigned int heatmap_row(const struct heatmap_rows *r, unsigned int slot)
{
	if (r->step)
		return slot / r->powers;
	return sub_row(hist_slot_low(slot), r->sub) / r->powers;
}

uint64_t heatmap_row_low(const struct heatmap_rows *r, unsigned int row)
{
	if (r->step)
		return (uint64_t)row * r->powers * r->step;
	return sub_low(row * r->powers, r->sub);
}

uint64_t heatmap_row_high(const struct heatmap_rows *r, unsigned int row)
{
	unsigned int next = (row + 1) * r->powers;

	if (r->step)
		return (uint64_t)next * r->step - 1;
	return next > sub_row(UINT64_MAX, r->sub) ? UINT64_MAX : sub_low(next, r->sub) - 1;
}

struct heatmap_rows heatmap_fold(unsigned int first_slot, unsigned int last_slot,
				 unsigned int max_rows)
{
	struct heatmap_rows r = { .sub = HIST_SUB, .powers = 1 };

	for (;;) {
		r.first = heatmap_row(&r, first_slot);
		r.n = heatmap_row(&r, last_slot) - r.first + 1;
		if (r.n <= max_rows || r.n == 1)
			return r;
		if (r.sub > 1)
			r.sub /= 2;
		else
			r.powers++;
	}
}

/* Rows of as many slots each, so that none is brighter than others for its size. */
struct heatmap_rows heatmap_fold_steps(const struct heatmap *m, unsigned int max_rows)
{
	struct heatmap_rows r = { .sub = 1, .powers = 1, .step = m->step };

	while (r.powers < m->slots &&
	       (m->slots % r.powers || m->slots / r.powers > max_rows))
		r.powers++;
	r.n = m->slots / r.powers;
	return r;
}

struct heatmap_rows heatmap_rows_of(const struct heatmap *m, unsigned int begin, const char *unit,
				    unsigned int max_rows)
{
	unsigned int first, last;

	if (m->step)
		return heatmap_fold_steps(m, max_rows);
	heatmap_range(m, begin, unit, &first, &last);
	return heatmap_fold(first, last, max_rows);
}

void heatmap_scale(struct heatmap_scale *s, enum heatmap_series series, uint64_t largest)
{
	static const unsigned int steps[][3] = { [SERIES_1_2_5] = { 1, 2, 5 },
						 [SERIES_1_3] = { 1, 3 } };
	static const unsigned int n_steps[] = { [SERIES_1_2_5] = 3, [SERIES_1_3] = 2 };
	uint64_t decade = 1;

	s->n = 1;
	s->least[0] = 1;
	for (unsigned int i = 1; s->n < HEATMAP_LEVELS; i++) {
		uint64_t least;

		if (i % n_steps[series] == 0 && __builtin_mul_overflow(decade, 10, &decade))
			return;
		if (__builtin_mul_overflow(decade, steps[series][i % n_steps[series]], &least) ||
		    least > largest)
			return;
		s->least[s->n++] = least;
	}
}

unsigned int heatmap_level(const struct heatmap_scale *s, uint64_t count)
{
	unsigned int level = 0;

	while (level < s->n && count >= s->least[level])
		level++;
	return level;
}

static const char *const times[] = { "nsecs", "usecs", "msecs", "secs" };

/* The place of a unit of time among those above, -1: it is none. */
static int time_unit(const char *unit)
{
	for (int i = 0; i < 4; i++)
		if (!strcmp(unit, times[i]))
			return i;
	return -1;
}

bool heatmap_unit_is_time(const char *unit)
{
	return time_unit(unit) >= 0;
}

void heatmap_label(char *s, size_t size, uint64_t value, const char *unit)
{
	static const char *const seconds[] = { "ns", "us", "ms", "s", "ks", "Ms", "Gs", "Ts",
					       "Ps", "Es" };
	static const char *const plain[] = { "", "k", "M", "G", "T", "P", "E" };
	int i = time_unit(unit), time = i >= 0;

	i = time ? i : 0;
	for (; value && value % 1000 == 0; value /= 1000)
		i++;
	text_cut(s, size, "%llu%s", (unsigned long long)value, value ||
		 time ? (time ? seconds[i] : plain[i]) : "");
	if (!value)
		snprintf(s, size, "0");
}

static double place_of(const struct heatmap_rows *r, uint64_t value, unsigned int row)
{
	uint64_t low = heatmap_row_low(r, row), high = heatmap_row_high(r, row);

	return row - r->first + (value - low) / ((double)(high - low) + 1);
}

static void add_mark(const struct heatmap_rows *r, const char *unit, double spacing, uint64_t value,
		     struct heatmap_mark *marks, unsigned int *n)
{
	unsigned int row = heatmap_row(r, !r->step ? heatmap_slot(value) :
				       value / r->step < UINT32_MAX ?
				       (unsigned int)(value / r->step) : UINT32_MAX);
	struct heatmap_mark mark = { .value = value };

	if (row < r->first || row >= r->first + r->n || *n == HEATMAP_MARKS)
		return;
	mark.row = row - r->first;
	mark.place = place_of(r, value, row);
	for (unsigned int i = 0; i < *n; i++) {
		double distance = mark.place - marks[i].place;

		if (mark.row == marks[i].row || (distance < spacing && -distance < spacing))
			return;
	}
	heatmap_label(mark.label, sizeof(mark.label), value, unit);
	marks[(*n)++] = mark;
}

/* The rounder a value, the earlier it takes its place. */
unsigned int heatmap_marks(const struct heatmap_rows *r, const char *unit, double spacing,
			   struct heatmap_mark marks[HEATMAP_MARKS])
{
	static const struct { unsigned int times,
			      decades; } passes[] = { { 1, 3 }, { 1, 1 }, { 5, 1 }, { 2, 1 } };
	unsigned int n = 0;

	/* As far from each other on all of the axis. */
	for (uint64_t value = 0; r->step && n < HEATMAP_MARKS; value += 100) {
		if (heatmap_row(r, value / r->step) >= r->n)
			return n;
		add_mark(r, unit, spacing, value, marks, &n);
	}
	for (size_t i = 0; i < sizeof(passes) / sizeof(passes[0]); i++) {
		uint64_t decade = 1, value;

		for (unsigned int d = 0; !__builtin_mul_overflow(decade, passes[i].times, &value);
		     d++) {
			if (d % passes[i].decades == 0)
				add_mark(r, unit, spacing, value, marks, &n);
			if (__builtin_mul_overflow(decade, 10, &decade))
				break;
		}
	}
	add_mark(r, unit, spacing, 0, marks, &n);
	return n;
}

void heatmap_time(const struct heatmap *m, char *s, size_t size, int64_t ns)
{
	const int64_t day = 86400 * NS_PER_SECOND;
	bool long_run = m->n_columns &&
		m->columns[m->n_columns - 1].end - m->columns[0].start > day;
	struct date date = date_local(&m->zone, ns);

	if (long_run)
		text_cut(s, size, "%s %.5s", date.day + 5, date.time);
	else
		text_cut(s, size, "%s", date.time);
}
