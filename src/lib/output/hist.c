// SPDX-License-Identifier: GPL-2.0
/* Histograms, whatever their format: the slots, and the way into heat maps. */
#include "src/lib/output/heatmap.h"

#include <assert.h>
#include "src/lib/output/writer.h"

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

/* Without the overflow of signed arithmetic. */
static uint64_t linear_value(const struct histogram *h, unsigned int i)
{
	return (uint64_t)h->first + (uint64_t)h->step * i;
}

uint64_t histogram_low(const struct histogram *h, unsigned int i)
{
	assert(i < h->n);
	return h->linear ? linear_value(h, i) : hist_slot_low(i);
}

uint64_t histogram_high(const struct histogram *h, unsigned int i)
{
	assert(i < h->n);
	return h->linear ? linear_value(h, i + 1) - 1 : hist_slot_high(i);
}

void output_percentiles(struct output *o, const struct percentiles *p)
{
	assert(p->n <= PERCENTILES);
	o->percentiles = *p;
}

static void show(struct output *o, const struct histogram *h)
{
	for_each_listener(l, o) {
		assert(!l->ended);
		if (l->writer->hist)
			l->writer->hist(l, h);
		put_end(l);
	}
}

static void map_linear(struct heatmap *map, const struct histogram *shown)
{
	struct hist h = { };

	for (unsigned int i = 0; i < shown->n; i++)
		h.slots[heatmap_slot(i)] += shown->counts[i];
	heatmap_add(map, shown->unit, shown->section, &h);
}

void output_hist(struct output *o, const char *name, const char *unit,
		 const struct hist_section *section,
		 int64_t clock_ns, const struct hist *h, const struct hist_totals *totals)
{
	struct histogram shown = {
		.name = name, .unit = unit, .section = section, .clock_ns = clock_ns,
		.totals = totals,
		.counts = h->slots, .n = HIST_SLOTS,
	};

	if (o->map && !o->deaf)
		heatmap_add(o->map, unit, section, h);
	show(o, &shown);
}

void output_linear(struct output *o, const char *name, const char *unit,
		   const struct hist_section *section,
		   int64_t clock_ns, const uint64_t *counts, unsigned int n, int64_t first,
		   int64_t step)
{
	struct histogram shown = {
		.name = name, .unit = unit, .section = section, .clock_ns = clock_ns,
		.counts = counts, .n = n, .linear = true, .first = first, .step = step,
	};

	assert(n && step > 0);
	if (o->map && !o->deaf && first == 0 && step == 1)
		map_linear(o->map, &shown);
	show(o, &shown);
}

void output_map_column(struct output *o, const struct heatmap_column *column, const char *unit,
		       const uint64_t *counts)
{
	const struct histogram h = {
		.name = o->map->tool, .unit = unit, .clock_ns = column->end, .counts = counts,
		.n = counts ? o->map->slots : 0, .linear = true, .step = o->map->step,
	};

	for_each_listener(l, o) {
		assert(!l->ended);
		if (l->writer->map)
			l->writer->map(l, column, &h);
		put_end(l);
	}
}
