// SPDX-License-Identifier: GPL-2.0
/* Histograms in bpftrace's layout. */
#include <stdio.h>
#include <string.h>

#include "compat/base/text.h"
#include "src/bt/show/show.h"

#define BAR 52				/* columns */
#define NEGATIVE 0			/* rows of hist(): below 0, 0, 1, 2 to 3, 4 to 7 ... */

static unsigned int power_of(uint64_t value)
{
	return 63U - (unsigned int)__builtin_clzll(value);
}

/*
 * The rows of hist(VALUE, k): below 0; each value below 2^k; then 2^k rows for each power of two.
 * The slots of programs are as fine as those of k = 3.
 */
static unsigned int row_of(const struct bt_map *m, uint64_t value)
{
	const unsigned int k = m->hist.bits;
	unsigned int shift;

	if (value < 1ULL << k)
		return (unsigned int)value + 1;
	shift = power_of(value) - k;
	return ((shift + 1) << k) + (unsigned int)((value >> shift) & ((1ULL << k) - 1)) + 1;
}

static uint64_t low_of(const struct bt_map *m, unsigned int row, unsigned int *shift)
{
	const unsigned int k = m->hist.bits, of = row - 1;

	*shift = of >> k ? (of >> k) - 1 : 0;
	return of >> k ? ((1ULL << k) + (of & ((1U << k) - 1))) << *shift : of;
}

unsigned int bt_hist_rows(const struct bt_map *m)
{
	return m->kind == BT_HIST ? row_of(m, UINT64_MAX) + 1 : (unsigned int)bt_steps_of(m) + 2;
}

unsigned int bt_hist_row(const struct bt_map *m, uint64_t slot)
{
	if (m->kind == BT_LHIST)
		return slot < bt_hist_rows(m) ? (unsigned int)slot : 0;
	if (slot >= HIST_SLOTS)
		return NEGATIVE;
	return row_of(m, hist_slot_low((unsigned int)slot));
}

void bt_hist_bounds(const struct bt_map *m, unsigned int row, int64_t *low, int64_t *high)
{
	unsigned int shift;

	if (m->kind == BT_HIST) {
		*low = row == NEGATIVE ? NOTHING : (int64_t)low_of(m, row, &shift);
		*high = row == NEGATIVE ? -1 : (int64_t)((uint64_t)*low + (1ULL << shift) - 1);
		return;
	}
	*low = row ? m->lhist.min + (int64_t)(row - 1) * m->lhist.step : NOTHING;
	*high = row ? *low + m->lhist.step - 1 : m->lhist.min - 1;
	if (row > bt_steps_of(m)) {
		*low = m->lhist.max;
		*high = NOTHING;
	}
}

/* 512, 1K, 1152, 16M: K is 1024. */
static void number_text(char *to, size_t size, uint64_t number)
{
	static const char units[] = " KMGTPE";
	unsigned int unit = 0;

	while (number && number % 1024 == 0) {
		number /= 1024;
		unit++;
	}
	snprintf(to, size, unit ? "%llu%c" : "%llu", (unsigned long long)number, units[unit]);
}

/* A bound; 1024, 1048576 as 1K, 1M if all steps are such numbers. */
static void bound_text(char *to, size_t size, const struct bt_map *m, int64_t bound)
{
	const bool large = m->lhist.step % 1024 == 0;

	if (large && bound && bound % (1024 * 1024) == 0)
		snprintf(to, size, "%lldM", (long long)bound / (1024 * 1024));
	else if (large && bound && bound % 1024 == 0)
		snprintf(to, size, "%lldK", (long long)bound / 1024);
	else
		snprintf(to, size, "%lld", (long long)bound);
}

static void label_of_hist(char *to, size_t size, const struct bt_map *m, unsigned int row)
{
	char low[24], high[24];
	unsigned int shift;
	uint64_t from;

	if (row == NEGATIVE) {
		snprintf(to, size, "(..., 0)");
		return;
	}
	from = low_of(m, row, &shift);
	number_text(low, sizeof(low), from);
	number_text(high, sizeof(high), from + (1ULL << shift));
	if (!shift)
		snprintf(to, size, "[%llu]", (unsigned long long)from);
	else if (from + (1ULL << shift))
		text_cut(to, size, "[%s, %s)", low, high);
	else
		text_cut(to, size, "[%s, 16E)", low);
}

static void label_of_lhist(char *to, size_t size, const struct bt_map *m, unsigned int row,
			   bool old)
{
	char low[24], high[24];

	if (!row) {
		bound_text(low, sizeof(low), m, m->lhist.min);
		text_cut(to, size, "(..., %s)", low);
		return;
	}
	bound_text(low, sizeof(low), m, row > bt_steps_of(m) ? m->lhist.max :
		   m->lhist.min + (int64_t)(row - 1) * m->lhist.step);
	bound_text(high, sizeof(high), m, m->lhist.min + (int64_t)row * m->lhist.step);
	if (row > bt_steps_of(m))
		text_cut(to, size, "[%s, ...)", low);
	else if (m->lhist.step == 1 && !old)
		text_cut(to, size, "[%s]", low);
	else
		text_cut(to, size, "[%s, %s)", low, high);
}

void bt_hist_show(FILE *to, const struct bt_map *m, const struct bt_hist *h, bool old)
{
	unsigned int first = 0, end = h->n;
	uint64_t most = 0;
	char label[64], bar[BAR + 1];

	while (first < end && !h->counts[first])
		first++;
	while (end > first && !h->counts[end - 1])
		end--;
	for (unsigned int i = first; i < end; i++)
		most = h->counts[i] > most ? h->counts[i] : most;
	for (unsigned int i = first; i < end; i++) {
		const int n = (int)((float)h->counts[i] / (float)most * BAR);

		if (m->kind == BT_HIST)
			label_of_hist(label, sizeof(label), m, i);
		else
			label_of_lhist(label, sizeof(label), m, i, old);
		memset(bar, ' ', BAR);
		memset(bar, '@', (size_t)n);
		bar[BAR] = '\0';
		fprintf(to, "%-16s%8llu |%s|\n", label, (unsigned long long)h->counts[i], bar);
	}
	fputc('\n', to);
}
