// SPDX-License-Identifier: GPL-2.0
#include "backends/stream/parts.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "backends/vm/data_loc.h"

#define WAITING 512		/* events whose parts may wait at a time: a power of two */
#define LOOK 8			/* slots that an event's parts may be in */

struct waiting {
	uint32_t tid, main;
	uint64_t time;
	uint64_t generation;	/* the table's when the slot was filled; another: it is free */
	unsigned int first;	/* the part that came first */
	unsigned int next;	/* the lowest part that may come next */
	bool doubtful;		/* parts came in another order */
	uint64_t handles[];
};

struct parts {
	unsigned int most;
	uint64_t generation;
	uint8_t *slots;
};

static size_t slot_size(const struct parts *p)
{
	return sizeof(struct waiting) + p->most * sizeof(uint64_t);
}

struct parts *parts_new(unsigned int most)
{
	struct parts *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->most = most;
	p->generation = 1;
	p->slots = calloc(WAITING, slot_size(p));
	if (!p->slots) {
		free(p);
		return NULL;
	}
	return p;
}

void parts_free(struct parts *p)
{
	if (!p)
		return;
	free(p->slots);
	free(p);
}

static struct waiting *slot(const struct parts *p, uint32_t tid, uint32_t main, unsigned int i)
{
	uint32_t home = (tid * 2654435769U + main) >> 5;

	return (struct waiting *)(p->slots + ((home + i) & (WAITING - 1)) * slot_size(p));
}

static bool is_free(const struct parts *p, const struct waiting *w)
{
	return w->generation != p->generation;
}

static struct waiting *find(const struct parts *p, uint32_t tid, uint32_t main)
{
	for (unsigned int i = 0; i < LOOK; i++) {
		struct waiting *w = slot(p, tid, main, i);

		if (!is_free(p, w) && w->tid == tid && w->main == main)
			return w;
	}
	return NULL;
}

static struct waiting *claim(struct parts *p, uint32_t tid, uint32_t main)
{
	struct waiting *best = slot(p, tid, main, 0);

	for (unsigned int i = 0; i < LOOK && !is_free(p, best); i++) {
		struct waiting *w = slot(p, tid, main, i);

		if (is_free(p, w) || w->time < best->time)
			best = w;
	}
	best->tid = tid;
	best->main = main;
	best->generation = p->generation;
	best->doubtful = false;
	memset(best->handles, 0, p->most * sizeof(uint64_t));
	return best;
}

void parts_put(struct parts *p, uint32_t tid, uint32_t main, unsigned int part, uint64_t handle,
	       uint64_t time)
{
	struct waiting *w = find(p, tid, main);

	if (part >= p->most)
		return;
	if (w && part < w->next && !part && !w->first)
		w->generation = 0;
	if (!w || is_free(p, w)) {
		w = claim(p, tid, main);
		w->first = w->next = part;
	}
	w->doubtful |= part < w->next;
	w->next = part + 1;
	w->handles[part] = handle;
	w->time = time;
}

const uint64_t *parts_take(struct parts *p, uint32_t tid, uint32_t main)
{
	struct waiting *w = find(p, tid, main);

	if (!w)
		return NULL;
	w->generation = 0;
	return w->doubtful ? NULL : w->handles;
}

void parts_clear(struct parts *p)
{
	p->generation++;
}

const char *part_text(const struct input *in, const void *record, uint32_t size,
		      char pieces[PIECES_TEXT], uint32_t *length)
{
	const char *text = (const char *)record + in->offset;
	int n;

	if (in->place == PLACE_DATA_LOC)
		return data_loc_text(record, size, in->offset, in->is_last, length);
	if (in->place == PLACE_PIECES) {
		n = (uint32_t)in->offset + in->size > size ? -1 :
			pieces_text((const uint8_t *)text, in->size, in->register_size,
				    in->pointer_size, pieces);
		*length = (uint32_t)n;
		return n < 0 ? NULL : pieces;
	}
	if (!in->size || (uint32_t)in->offset + in->size > size)
		return NULL;
	*length = (uint32_t)strnlen(text, in->size);
	return text;
}
