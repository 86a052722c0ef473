// SPDX-License-Identifier: GPL-2.0
#include "src/output/writer.h"

#include <string.h>

#include "src/output/heatmap.h"

#define ROWS 65			/* of text: row i holds the values of i bits; row 1 holds 0 too */
#define NARROW_ROWS 32		/* above 32 bits bcc makes the bounds wider and the bar shorter */
#define BAR 40

uint64_t hist_slot_low(unsigned int slot)
{
	unsigned int power = slot / HIST_SUB;

	if (!power)
		return slot;
	return (uint64_t)(HIST_SUB + slot % HIST_SUB) << (power - 1);
}

uint64_t hist_slot_high(unsigned int slot)
{
	/* The last slot ends at 2^64 - 1, which the wrap-around of 0 - 1 yields. */
	return slot + 1 < HIST_SLOTS ? hist_slot_low(slot + 1) - 1 : UINT64_MAX;
}

/* The text row a value falls into. */
static unsigned int row_of(uint64_t v)
{
	return 64 - __builtin_clzll(v | 1);
}

/*
 * The largest count fills the bar. bcc's bars end in '+' where a count exceeds the largest one: there is none such,
 * here as there.
 */
static unsigned int bar(uint64_t count, uint64_t largest, unsigned int width)
{
	while (largest >> 56) {		/* or width * count would overflow */
		largest >>= 8;
		count >>= 8;
	}
	return width * count / largest;
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
	static const struct text nothing = { .s = "-", .length = 1 };

	if (!section || !section->name)
		return;
	put(o, "\n", 1);
	put_string(o, section->name);
	put(o, " = ", 3);
	put_text(o, section->value.s ? &section->value : &nothing);
	put(o, "\n", 1);
}

static void put_log2(struct output *o, const char *unit, const struct hist_section *section, const struct hist *h)
{
	uint64_t rows[ROWS] = { 0 }, largest = 0;
	unsigned int i, last = 0;
	char s[256];
	bool narrow;

	for (i = 0; i < HIST_SLOTS; i++)
		rows[row_of(hist_slot_low(i))] += h->slots[i];
	for (i = 0; i < ROWS; i++) {
		if (rows[i])
			last = i;
		if (rows[i] > largest)
			largest = rows[i];
	}
	if (!last)
		return;
	narrow = last <= NARROW_ROWS;
	put_section(o, section);
	snprintf(s, sizeof(s), narrow ? "     %-19s : count     distribution\n" :
		 "               %-29s : count     distribution\n", unit);
	put_string(o, s);
	for (i = 1; i <= last; i++) {
		unsigned long long low = i > 1 ? 1ULL << (i - 1) : 0, high = UINT64_MAX >> (64 - i);

		snprintf(s, sizeof(s), narrow ? "%10llu -> %-10llu" : "%20llu -> %-20llu", low, high);
		put_string(o, s);
		put_bar(o, rows[i], largest, narrow ? BAR : BAR / 2);
	}
}

/* What the machine formats say beside the slots. */
struct heading {
	const char *name, *unit;
	const struct hist_section *section;
	int64_t clock_ns;
	const struct hist_totals *totals;
	bool is_signed;			/* the bounds are */
	bool any;			/* a slot was printed */
};

static void put_decimal(struct output *o, uint64_t v, bool is_signed)
{
	char s[24];

	put(o, s, is_signed ? format_signed(s, v) : format_unsigned(s, v));
}

static void put_json_bound(struct output *o, uint64_t v, bool is_signed)
{
	if (is_signed)
		put_json_signed(o, v);
	else
		put_json_unsigned(o, v);
}

static void put_json_heading(struct output *o, const struct heading *h)
{
	put_string(o, "{\"histogram\":");
	put_json_string(o, h->name);
	put_string(o, ",\"unit\":");
	put_json_string(o, h->unit);
	if (h->clock_ns != NOTHING) {
		put_string(o, ",\"time\":");
		put_json_clock(o, h->clock_ns);
	}
	if (h->section && h->section->name) {
		put(o, ",", 1);
		if (h->section->is_number) {
			put_json_key(o, h->section->name);
			put(o, h->section->value.s, h->section->value.length);
		} else {
			put_json_text(o, h->section->name, &h->section->value);
		}
	}
	put_string(o, ",\"slots\":[");
}

static void put_json_slot(struct output *o, const struct heading *h, uint64_t low, uint64_t high, uint64_t count)
{
	put_string(o, h->any ? ",{\"low\":" : "{\"low\":");
	put_json_bound(o, low, h->is_signed);
	put_string(o, ",\"high\":");
	put_json_bound(o, high, h->is_signed);
	put_string(o, ",\"count\":");
	put_json_unsigned(o, count);
	put(o, "}", 1);
}

static void put_json_tail(struct output *o, const struct hist_totals *t)
{
	put(o, "]", 1);
	if (t) {
		put_string(o, ",\"avg\":");
		if (t->count)
			put_json_unsigned(o, t->sum / t->count);
		else
			put_string(o, "null");
		put_string(o, ",\"total\":");
		put_json_unsigned(o, t->sum);
		put_string(o, ",\"count\":");
		put_json_unsigned(o, t->count);
	}
	put(o, "}\n", 2);
}

void put_hist_csv_header(struct output *o)
{
	if (!o->hist_header_done)
		put_string(o, "time,histogram,unit,section,value,low,high,count,total\n");
	o->hist_header_done = true;
}

static void put_csv_string(struct output *o, const char *s)
{
	struct text t = { .s = s, .length = s ? strlen(s) : 0 };

	if (s)
		put_text(o, &t);
	put(o, ",", 1);
}

/* The cells before `low`. */
static void put_csv_heading(struct output *o, const struct heading *h)
{
	bool section = h->section && h->section->name;

	put_csv_string(o, h->clock_ns != NOTHING ? clock_text(o, h->clock_ns) : NULL);
	put_csv_string(o, h->name);
	put_csv_string(o, h->unit);
	put_csv_string(o, section ? h->section->name : NULL);
	if (section && h->section->value.s)
		put_text(o, &h->section->value);
	put(o, ",", 1);
}

static void put_csv_slot(struct output *o, const struct heading *h, uint64_t low, uint64_t high, uint64_t count)
{
	put_csv_heading(o, h);
	put_decimal(o, low, h->is_signed);
	put(o, ",", 1);
	put_decimal(o, high, h->is_signed);
	put(o, ",", 1);
	put_decimal(o, count, false);
	put(o, ",\n", 2);
}

/* The line of totals has no bounds. */
static void put_csv_totals(struct output *o, const struct heading *h)
{
	if (!h->totals)
		return;
	put_csv_heading(o, h);
	put(o, ",,", 2);
	put_decimal(o, h->totals->count, false);
	put(o, ",", 1);
	put_decimal(o, h->totals->sum, false);
	put(o, "\n", 1);
}

/* JSON and CSV: begins, takes slots, ends. */
static void machine_begin(struct output *o, const struct heading *h)
{
	if (o->format == OUTPUT_JSON)
		put_json_heading(o, h);
	else
		put_hist_csv_header(o);
}

static void machine_slot(struct output *o, struct heading *h, uint64_t low, uint64_t high, uint64_t count)
{
	if (!count)
		return;
	if (o->format == OUTPUT_JSON)
		put_json_slot(o, h, low, high, count);
	else
		put_csv_slot(o, h, low, high, count);
	h->any = true;
}

static void machine_end(struct output *o, const struct heading *h)
{
	if (o->format == OUTPUT_JSON)
		put_json_tail(o, h->totals);
	else
		put_csv_totals(o, h);
	put_end(o);
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

void output_hist(struct output *o, const char *name, const char *unit, const struct hist_section *section,
		 int64_t clock_ns, const struct hist *h, const struct hist_totals *totals)
{
	struct heading heading = { name, unit, section, clock_ns, totals, false, false };
	unsigned int i;

	if (o->map)
		heatmap_add(o->map, unit, section, h);
	if (o->format == OUTPUT_TEXT) {
		put_log2(o, unit, section, h);
		put_totals(o, unit, totals);
		put_end(o);
		return;
	}
	machine_begin(o, &heading);
	for (i = 0; i < HIST_SLOTS; i++)
		machine_slot(o, &heading, hist_slot_low(i), hist_slot_high(i), h->slots[i]);
	machine_end(o, &heading);
}

/* The i-th value of a linear histogram, without the overflow of signed arithmetic. */
static int64_t linear_value(int64_t first, int64_t step, unsigned int i)
{
	return (uint64_t)first + (uint64_t)step * i;
}

static void put_linear(struct output *o, const char *unit, const struct hist_section *section,
		       const uint64_t *counts, unsigned int n, int64_t first, int64_t step)
{
	uint64_t largest = 0;
	unsigned int i, rows = 0;
	char s[256];

	for (i = 0; i < n; i++) {
		if (counts[i])
			rows = i + 1;
		if (counts[i] > largest)
			largest = counts[i];
	}
	if (!rows)
		return;
	put_section(o, section);
	snprintf(s, sizeof(s), "     %-13s : count     distribution\n", unit);
	put_string(o, s);
	for (i = 0; i < rows; i++) {
		snprintf(s, sizeof(s), "        %-10lld", (long long)linear_value(first, step, i));
		put_string(o, s);
		put_bar(o, counts[i], largest, BAR);
	}
}

static void map_linear(struct heatmap *map, const char *unit, const struct hist_section *section,
		       const uint64_t *counts, unsigned int n)
{
	struct hist h = { };

	for (unsigned int i = 0; i < n; i++)
		h.slots[heatmap_slot(i)] += counts[i];
	heatmap_add(map, unit, section, &h);
}

void output_linear(struct output *o, const char *name, const char *unit, const struct hist_section *section,
		   int64_t clock_ns, const uint64_t *counts, unsigned int n, int64_t first, int64_t step)
{
	struct heading heading = { name, unit, section, clock_ns, NULL, true, false };
	unsigned int i;

	if (o->map && first == 0 && step == 1)
		map_linear(o->map, unit, section, counts, n);
	if (o->format == OUTPUT_TEXT) {
		put_linear(o, unit, section, counts, n, first, step);
		put_end(o);
		return;
	}
	machine_begin(o, &heading);
	for (i = 0; i < n; i++)
		machine_slot(o, &heading, linear_value(first, step, i), linear_value(first, step, i + 1) - 1ULL,
			     counts[i]);
	machine_end(o, &heading);
}
