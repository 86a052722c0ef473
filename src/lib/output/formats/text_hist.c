// SPDX-License-Identifier: GPL-2.0
/* Histograms as bcc prints them: a row a power of two, with a bar. */
#include "compat/base/text.h"
#include "src/lib/output/writer.h"

#define ROWS 65			/* row i holds the values of i bits; row 1 holds 0 too */
#define NARROW_ROWS 32		/* above 32 bits bcc makes the bounds wider and the bar shorter */
#define BAR 40

/* The row a value falls into. */
static unsigned int row_of(uint64_t v)
{
	return 64 - (unsigned int)__builtin_clzll(v | 1);
}

/*
 * The largest count fills the bar. bcc's bars end in '+' where a count exceeds the largest one:
 * there is none such, here as there.
 */
static unsigned int bar(uint64_t count, uint64_t largest, unsigned int width)
{
	while (largest >> 56) {		/* or width * count would overflow */
		largest >>= 8;
		count >>= 8;
	}
	return (unsigned int)(width * count / largest);
}

static void put_bar(struct output *o, uint64_t count, uint64_t largest, unsigned int width)
{
	static const char stars[] = "****************************************";
	unsigned int n = bar(count, largest, width);
	char s[32];

	snprintf(s, sizeof(s), " : %-8llu |", (unsigned long long)count);
	put_string(o, s);
	put(o, stars, n);
	o->blanks += width - n;
	put(o, "|\n", 2);
}

static void put_section(struct output *o, const struct hist_section *section)
{
	if (!section || !section->name)
		return;
	put(o, "\n", 1);
	put_string(o, section->head ? section->head : section->name);
	put(o, " = ", 3);
	put_text(o, section->value.s ? &section->value : &text_nothing);
	put(o, "\n", 1);
}

static void put_log2(struct output *o, const struct histogram *h)
{
	uint64_t rows[ROWS] = { 0 }, largest = 0;
	unsigned int i, last = 0;
	char s[256];
	bool narrow;

	for (i = 0; i < h->n; i++)
		rows[row_of(hist_slot_low(i))] += h->counts[i];
	for (i = 0; i < ROWS; i++) {
		if (rows[i])
			last = i;
		if (rows[i] > largest)
			largest = rows[i];
	}
	if (!last)
		return;
	narrow = last <= NARROW_ROWS;
	put_section(o, h->section);
	text_cut(s, sizeof(s), narrow ? "     %-19s : count     distribution\n" :
		 "               %-29s : count     distribution\n", h->unit);
	put_string(o, s);
	for (i = 1; i <= last; i++) {
		unsigned long long low = i > 1 ? 1ULL << (i - 1) : 0, high = UINT64_MAX >> (64 - i);

		snprintf(s, sizeof(s), narrow ? "%10llu -> %-10llu" : "%20llu -> %-20llu",
			 low, high);
		put_string(o, s);
		put_bar(o, rows[i], largest, narrow ? BAR : BAR / 2);
	}
}

/* As bcc: a blank line before and behind; nothing if there was nothing. */
static void put_totals(struct output *o, const char *unit, const struct hist_totals *t)
{
	if (!t || !t->count)
		return;
	put_string(o, "\navg = ");
	put_decimal(o, t->sum / t->count, false);
	put(o, " ", 1);
	put_string(o, unit);
	put_string(o, ", total: ");
	put_decimal(o, t->sum, false);
	put(o, " ", 1);
	put_string(o, unit);
	put_string(o, ", count: ");
	put_decimal(o, t->count, false);
	put(o, "\n\n", 2);
}

static void put_linear(struct output *o, const struct histogram *h)
{
	uint64_t largest = 0;
	unsigned int rows = 0;
	char s[256];

	for (unsigned int i = 0; i < h->n; i++) {
		if (h->counts[i])
			rows = i + 1;
		if (h->counts[i] > largest)
			largest = h->counts[i];
	}
	if (!rows)
		return;
	put_section(o, h->section);
	text_cut(s, sizeof(s), "     %-13s : count     distribution\n", h->unit);
	put_string(o, s);
	for (unsigned int i = 0; i < rows; i++) {
		snprintf(s, sizeof(s), "        %-10lld", (long long)histogram_low(h, i));
		put_string(o, s);
		put_bar(o, h->counts[i], largest, BAR);
	}
}

/* A line below the rows. */
static void put_percentiles(struct output *o, const struct histogram *h)
{
	const struct percentiles *p = &o->percentiles;
	uint64_t values[PERCENTILES + 1];

	if (!p->n || !histogram_percentiles(o, h, values))
		return;
	put(o, "     ", 5);
	for (unsigned int i = 0; i < p->n; i++) {
		put_string(o, p->list[i].name);
		put(o, " <= ", 4);
		put_decimal(o, values[i], h->linear);
		put_string(o, i + 1 < p->n ? ", " : " ");
	}
	put_string(o, h->unit);
	put(o, "\n", 1);
}

void put_text_hist(struct output *o, const struct histogram *h)
{
	if (h->linear)
		put_linear(o, h);
	else
		put_log2(o, h);
	put_percentiles(o, h);
	put_totals(o, h->unit, h->totals);
}
