// SPDX-License-Identifier: GPL-2.0
#include "src/hists.h"

#include <stdlib.h>
#include <string.h>

/* Where a group stands, or belongs: groups are kept in the order of their ids. */
static unsigned int position(const struct hists *h, uint64_t id)
{
	unsigned int low = 0, high = h->n;

	while (low < high) {
		unsigned int middle = (low + high) / 2;

		if (h->groups[middle]->id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void hists_add(struct hists *h, uint64_t id, uint32_t slot, uint64_t count)
{
	unsigned int at = position(h, id);

	if (slot >= HIST_SLOTS)
		return;
	if (at == h->n || h->groups[at]->id != id) {
		struct hist_group *g = calloc(1, sizeof(*g));
		struct hist_group **more = realloc(h->groups, (h->n + 1) * sizeof(*more));

		if (more)
			h->groups = more;
		if (!g || !more) {
			free(g);
			h->failed = true;
			return;
		}
		memmove(more + at + 1, more + at, (h->n - at) * sizeof(*more));
		more[at] = g;
		g->id = id;
		h->n++;
	}
	h->groups[at]->hist.slots[slot] += count;
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
