// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/hists.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/text.h"
#include "src/lib/output/records.h"
#include "src/run/tools.h"

/* The place of a group, or where to insert it: groups are sorted by id and name. */
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

	if (slot > HIST_SLOTS)
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
		text_cut(g->name, sizeof(g->name), "%s", name);
		h->n++;
	}
	if (slot == HIST_SLOTS)
		h->groups[at]->sum += count;
	else
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

/* The fields of a map's keys that say the slot and the group. */
struct taking {
	struct hists *hists;
	const struct record_field *slot, *group;	/* group: NULL if there is only one */
};

static void name_of(const struct record_field *f, const void *key, char name[INET6_ADDRSTRLEN])
{
	const uint8_t *bytes = (const uint8_t *)key + f->offset;
	struct address a;

	switch (f->type) {
	case FIELD_COMM:
	case FIELD_CHARS:
		memcpy(name, bytes, f->size < HIST_NAME ? f->size : HIST_NAME);
		break;
	case FIELD_MAPPED:
		a = net_end(bytes);
		if (!a.family || !inet_ntop(a.family, a.bytes, name, INET6_ADDRSTRLEN))
			strcpy(name, "?");
		break;
	}
}

static void add_entry(void *arg, const void *key, const void *value)
{
	const struct taking *t = arg;
	const struct record_field *f = t->group;
	char name[INET6_ADDRSTRLEN] = "";
	uint64_t count, id = 0;

	if (f && (f->type == FIELD_UNSIGNED || f->type == FIELD_SIGNED))
		id = field_number(f, key);
	else if (f)
		name_of(f, key, name);
	memcpy(&count, value, sizeof(count));
	add(t->hists, id, name, (uint32_t)field_number(t->slot, key), count);
}

int hists_take(struct run *r, const char *map, struct hists *h, struct error *err)
{
	const struct record_layout *key = run_key(r, map);
	struct taking t = { .hists = h, .slot = key ? layout_field(key, "slot") : NULL };

	if (!t.slot)
		return fail(err, "%s is not a map of histograms", map);
	for (const struct record_field *f = key->fields; f->name && !t.group; f++)
		t.group = f == t.slot ? NULL : f;
	if (run_take(r, map, add_entry, &t, err))
		return -1;
	return h->failed ? fail(err, "out of memory") : 0;
}

static void set_totals(void *arg, const void *key, const void *value)
{
	struct hist_totals *t = arg;		/* as struct totals of insns/hist.h */

	(void)key;
	memcpy(t, value, sizeof(*t));
}

static const char *exact_unit(const struct hists_shown *s)
{
	static const char end[] = "secs";
	const size_t n = strlen(s->unit);

	if (s->exact)
		return s->exact;
	return n > strlen(end) && !strcmp(s->unit + n - strlen(end), end) ? "nsecs" : s->unit;
}

void hists_output(struct run *r, const struct hists_shown *s, const struct hist_section *section,
		  const struct hist_group *g, const struct hist_totals *totals)
{
	const bool exact = run_is_exact(r);
	struct hist_totals sums = { .sum = g->sum };

	for (unsigned int i = 0; exact && i < HIST_SLOTS; i++)
		sums.count += g->hist.slots[i];
	output_hist(run_output(r), s->name, exact ? exact_unit(s) : s->unit, section,
		    run_interval_clock(r), &g->hist, exact ? &sums : totals);
}

int hists_show(struct run *r, const struct hists_shown *s, struct error *err)
{
	const struct hist_group empty = { };
	struct hist_totals totals = { }, *wanted = s->totals ? &totals : NULL;
	struct hists h = { };
	int result = hists_take(r, !s->grouped ? "hist" : s->groups ? s->groups : "hists", &h,
				err);

	run_interval_head(r);
	if (!result && wanted)
		result = run_take(r, "totals", set_totals, wanted, err);
	if (s->divisor)
		totals.sum /= s->divisor;
	if (!result && s->merge)
		result = s->merge(&h, err);
	for (unsigned int i = 0; !result && s->grouped && i < h.n; i++) {
		char value[HISTS_VALUE];
		struct hist_section section = { };

		s->section(r, h.groups[i], &section, value);
		section.value = text_of(value, sizeof(value));
		hists_output(r, s, &section, h.groups[i], NULL);
	}
	if (!result && (!s->grouped || wanted))
		hists_output(r, s, NULL, !s->grouped && h.n ? h.groups[0] : &empty, wanted);
	hists_free(&h);
	return result;
}
