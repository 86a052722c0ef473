// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/hists.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "src/tools.h"

/* Where a group stands, or belongs: groups are kept in the order of their ids and names. */
static unsigned int position(const struct hists *h, uint64_t id, const char *name)
{
	unsigned int low = 0, high = h->n;

	while (low < high) {
		unsigned int middle = (low + high) / 2;
		const struct hist_group *g = h->groups[middle];

		if (g->id < id || (g->id == id && strcmp(g->name, name) < 0))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void add(struct hists *h, uint64_t id, const char *name, uint32_t slot, uint64_t count)
{
	unsigned int at = position(h, id, name);

	if (slot >= HIST_SLOTS)
		return;
	if (at == h->n || h->groups[at]->id != id || strcmp(h->groups[at]->name, name)) {
		struct hist_group *g = calloc(1, sizeof(*g));

		if (!g || array_room(&h->groups, h->n, sizeof(*h->groups))) {
			free(g);
			h->failed = true;
			return;
		}
		memmove(h->groups + at + 1, h->groups + at, (h->n - at) * sizeof(*h->groups));
		h->groups[at] = g;
		g->id = id;
		strncpy(g->name, name, HIST_NAME);
		h->n++;
	}
	h->groups[at]->hist.slots[slot] += count;
}

void hists_add(struct hists *h, uint64_t id, uint32_t slot, uint64_t count)
{
	add(h, id, "", slot, count);
}

void hists_add_name(struct hists *h, const char *name, uint32_t slot, uint64_t count)
{
	add(h, 0, name, slot, count);
}

void hists_free(struct hists *h)
{
	for (unsigned int i = 0; i < h->n; i++)
		free(h->groups[i]);
	free(h->groups);
	memset(h, 0, sizeof(*h));
}

static void add_slot(void *arg, const void *key, const void *value)
{
	uint32_t slot;
	uint64_t count;

	memcpy(&slot, key, sizeof(slot));
	memcpy(&count, value, sizeof(count));
	hists_add(arg, 0, slot, count);
}

static void add_group(void *arg, const void *key, const void *value)
{
	struct { uint32_t epoch, slot; uint64_t id; } k;
	uint64_t count;

	memcpy(&k, key, sizeof(k));
	memcpy(&count, value, sizeof(count));
	hists_add(arg, k.id, k.slot, count);
}

static void add_named(void *arg, const void *key, size_t size, const void *value)
{
	struct { uint32_t epoch, slot; } k;
	char name[HIST_NAME + 1] = "";
	uint64_t count;

	memcpy(&k, key, sizeof(k));
	memcpy(name, (const char *)key + sizeof(k), size);
	memcpy(&count, value, sizeof(count));
	hists_add_name(arg, name, k.slot, count);
}

static void add_comm(void *arg, const void *key, const void *value)
{
	add_named(arg, key, 16, value);
}

static void add_name(void *arg, const void *key, const void *value)
{
	add_named(arg, key, HIST_NAME, value);
}

static int take(struct run *r, const char *map, entry_fn entry, struct hists *h, struct error *err)
{
	if (run_take(r, map, entry, h, err))
		return -1;
	return h->failed ? fail(err, "out of memory") : 0;
}

int hists_take(struct run *r, const char *map, struct hists *h, struct error *err)
{
	return take(r, map, add_slot, h, err);
}

int hists_take_groups(struct run *r, const char *map, struct hists *h, struct error *err)
{
	return take(r, map, add_group, h, err);
}

int hists_take_comms(struct run *r, const char *map, struct hists *h, struct error *err)
{
	return take(r, map, add_comm, h, err);
}

int hists_take_names(struct run *r, const char *map, struct hists *h, struct error *err)
{
	return take(r, map, add_name, h, err);
}

static void add_total(void *arg, const void *key, const void *value)
{
	struct hist_totals *t = arg;
	uint32_t i;

	memcpy(&i, key, sizeof(i));
	memcpy(i ? &t->count : &t->sum, value, sizeof(uint64_t));
}

int hists_take_totals(struct run *r, const char *map, struct hist_totals *totals, struct error *err)
{
	return run_take(r, map, add_total, totals, err);
}

int hists_show(struct run *r, const struct hists_shown *s, struct error *err)
{
	static const struct hist empty;
	int64_t clock = run_interval_clock(r);
	struct hist_totals totals = { }, *wanted = s->totals ? &totals : NULL;
	struct hists h = { };
	int result = s->grouped ? hists_take_groups(r, "hists", &h, err) :
		hists_take(r, "hist", &h, err);

	run_interval_head(r);
	if (!result && wanted)
		result = hists_take_totals(r, "totals", wanted, err);
	if (!result && s->merge)
		result = s->merge(&h, err);
	for (unsigned int i = 0; !result && s->grouped && i < h.n; i++) {
		char value[HISTS_VALUE];
		struct hist_section section = { };

		s->section(run_options(r), h.groups[i], &section, value);
		section.value = text_of(value, sizeof(value));
		output_hist(run_output(r), s->name, s->unit, &section, clock,
			    &h.groups[i]->hist, NULL);
	}
	if (!result && (!s->grouped || wanted))
		output_hist(run_output(r), s->name, s->unit, NULL, clock, !s->grouped &&
			    h.n ? &h.groups[0]->hist : &empty,
			    wanted);
	hists_free(&h);
	return result;
}
