// SPDX-License-Identifier: GPL-2.0
/* Stacks become a tree: names are kept once, and frames once for each caller. */
#include "src/lib/flame/tree.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/error.h"

#define NO_ROOM "[left out: too many different frames]"
#define RESERVED 1			/* frame and name for them */
#define RESERVED_BYTES 64		/* and for where stacks are cut */

static uint64_t mix(uint64_t z)
{
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static uint32_t hash_name(const struct flame *f, const struct flame_frame *frame)
{
	return hash_bytes(&f->seed, frame->name, frame->length) + (uint32_t)frame->kind;
}

static uint32_t hash_call(const struct flame *f, uint32_t caller, uint32_t name)
{
	return (uint32_t)mix(f->seed.a ^ ((uint64_t)caller << 32 | name));
}

static int bytes_room(struct flame *f, size_t n)
{
	size_t room = f->room_bytes ? f->room_bytes : 4096;
	char *more;

	if (f->n_bytes + n <= f->room_bytes)
		return 0;
	while (room < f->n_bytes + n)
		room *= 2;
	more = realloc(f->bytes, room);
	if (!more)
		return -1;
	f->bytes = more;
	f->room_bytes = room;
	return 0;
}

static int new_name(struct flame *f, const struct flame_frame *frame, uint32_t hash,
		    uint32_t *number)
{
	if (array_room(&f->names, f->n_names, sizeof(*f->names)) ||
	    hash_index_room(&f->by_name) || bytes_room(f, frame->length))
		return -1;
	*number = f->n_names++;
	f->names[*number] = (struct flame_name){ (uint32_t)f->n_bytes, (uint32_t)frame->length,
						 frame->kind };
	if (frame->length)
		memcpy(f->bytes + f->n_bytes, frame->name, frame->length);
	f->n_bytes += frame->length;
	if (*number)
		hash_index_put(&f->by_name, hash, *number);
	return 0;
}

static uint32_t find_name(const struct flame *f, const struct flame_frame *frame, uint32_t hash)
{
	for (uint32_t at = hash, number; (number = hash_index_next(&f->by_name, hash, &at));) {
		const struct flame_name *n = &f->names[number];

		if (n->kind == frame->kind && n->length == frame->length &&
		    !memcmp(f->bytes + n->offset, frame->name, n->length))
			return number;
	}
	return 0;
}

static int new_node(struct flame *f, uint32_t parent, uint32_t name, uint32_t *number)
{
	if (array_room(&f->nodes, f->n_nodes, sizeof(*f->nodes)) || hash_index_room(&f->by_caller))
		return -1;
	*number = f->n_nodes++;
	f->nodes[*number] = (struct flame_node){ .name = name, .parent = parent };
	if (*number)
		hash_index_put(&f->by_caller, hash_call(f, parent, name), *number);
	return 0;
}

static uint32_t find_node(const struct flame *f, uint32_t parent, uint32_t name)
{
	const uint32_t hash = hash_call(f, parent, name);

	for (uint32_t at = hash, number; (number = hash_index_next(&f->by_caller, hash, &at));)
		if (f->nodes[number].parent == parent && f->nodes[number].name == name)
			return number;
	return 0;
}

/* The frame a caller calls; 0: there is none, and none is to be made. -1: no memory. */
static int step(struct flame *f, uint32_t caller, const struct flame_frame *frame, bool makes,
		uint32_t *callee)
{
	uint32_t hash = hash_name(f, frame), name = find_name(f, frame, hash);

	*callee = name ? find_node(f, caller, name) : 0;
	if (*callee || !makes)
		return 0;
	if (!name && new_name(f, frame, hash, &name))
		return -1;
	return new_node(f, caller, name, callee);
}

static int out_of_memory(struct error *err)
{
	return fail(err, "out of memory");
}

struct flame *flame_new(void)
{
	const struct flame_frame all = { "all", 3, FLAME_MARK };
	struct flame *f = calloc(1, sizeof(*f));
	uint32_t number;

	if (!f)
		return NULL;
	f->seed = hash_seed();
	if (new_name(f, &all, 0, &number) || new_node(f, 0, 0, &number)) {
		flame_free(f);
		return NULL;
	}
	return f;
}

void flame_free(struct flame *f)
{
	if (!f)
		return;
	free(f->nodes);
	free(f->names);
	free(f->bytes);
	hash_index_free(&f->by_caller);
	hash_index_free(&f->by_name);
	free(f);
}

/* Whatever of it is new has room, and one that says where it was cut. */
static bool has_room(const struct flame *f, const struct flame_frame *frames, unsigned int n)
{
	size_t bytes = f->n_bytes;

	for (unsigned int i = 0; i < n && bytes <= FLAME_NAME_BYTES; i++)
		bytes += frames[i].length;
	return f->n_nodes + n + 1 <= FLAME_FRAMES - RESERVED &&
	       f->n_names + n + 1 <= FLAME_NAMES - RESERVED &&
	       bytes <= FLAME_NAME_BYTES - RESERVED_BYTES;
}

/* 0: there is no room for it. */
static int find_stack(struct flame *f, const struct flame_frame *frames, unsigned int n,
		      uint32_t *leaf)
{
	unsigned int kept = n < FLAME_DEPTH ? n : FLAME_DEPTH;
	bool makes = has_room(f, frames, kept);
	char text[24];
	struct flame_frame end = { text, 0, FLAME_MARK };

	*leaf = 0;
	for (unsigned int i = 0; i < kept; i++) {
		if (step(f, *leaf, &frames[i], makes, leaf))
			return -1;
		if (!*leaf)
			return 0;
	}
	if (kept == n)
		return 0;
	end.length = (size_t)snprintf(text, sizeof(text), "[cut at %d]", FLAME_DEPTH);
	return step(f, *leaf, &end, makes, leaf);
}

int flame_add(struct flame *f, enum flame_side side, const struct flame_frame *frames,
	      unsigned int n, uint64_t value, struct error *err)
{
	const struct flame_frame none = { NO_ROOM, strlen(NO_ROOM), FLAME_MARK };
	uint64_t total;
	uint32_t leaf;

	if (!value)
		return 0;
	if (__builtin_add_overflow(f->totals[side], value, &total))
		return fail(err, "the values are more than 2^64 together\n"
				 "give them in a larger unit");
	if (find_stack(f, frames, n, &leaf))
		return out_of_memory(err);
	if (leaf || !n)
		f->cut += n > FLAME_DEPTH;
	else if (step(f, 0, &none, true, &leaf))
		return out_of_memory(err);
	else
		f->no_room++;
	f->nodes[leaf].self[side] += value;
	f->totals[side] = total;
	return 0;
}

int flame_thousandths(struct flame *f, struct error *err)
{
	if (f->thousandths)
		return 0;
	for (unsigned int side = 0; side < FLAME_SIDES; side++)
		if (f->totals[side] > UINT64_MAX / 1000)
			return fail(err, "the values have decimals, and are more than 2^64 / 1000 "
					 "together\ngive them in a larger unit");
	for (unsigned int side = 0; side < FLAME_SIDES; side++) {
		for (uint32_t i = 0; i < f->n_nodes; i++)
			f->nodes[i].self[side] *= 1000;
		f->totals[side] *= 1000;
	}
	f->thousandths = true;
	return 0;
}

uint64_t flame_total(const struct flame *f, enum flame_side side)
{
	return f->totals[side];
}

struct sorted {
	const char *s;
	uint32_t length, number;
	enum flame_kind kind;
};

static int by_name(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;
	int order = memcmp(x->s, y->s, x->length < y->length ? x->length : y->length);

	if (order)
		return order;
	if (x->length != y->length)
		return x->length < y->length ? -1 : 1;
	return (int)x->kind - (int)y->kind;
}

/* For each name the place it has among all. */
static int rank_names(const struct flame *f, uint32_t *ranks)
{
	struct sorted *sorted = calloc(f->n_names, sizeof(*sorted));

	if (!sorted)
		return -1;
	for (uint32_t i = 0; i < f->n_names; i++)
		sorted[i] = (struct sorted){ f->bytes + f->names[i].offset, f->names[i].length, i,
					     f->names[i].kind };
	qsort(sorted, f->n_names, sizeof(*sorted), by_name);
	for (uint32_t i = 0; i < f->n_names; i++)
		ranks[sorted[i].number] = i;
	free(sorted);
	return 0;
}

/* Numbers of nodes, in the order of their names. */
static void sort_nodes(const struct flame *f, const uint32_t *ranks, uint32_t *ends,
		       uint32_t *order)
{
	for (uint32_t i = 0; i < f->n_nodes; i++)
		ends[ranks[f->nodes[i].name]]++;
	for (uint32_t i = 1; i < f->n_names; i++)
		ends[i] += ends[i - 1];
	for (uint32_t i = 0; i < f->n_nodes; i++)
		order[--ends[ranks[f->nodes[i].name]]] = i;
}

int tree_order(struct flame *f)
{
	uint32_t *ranks = calloc(f->n_names, sizeof(*ranks)),
		*ends = calloc(f->n_names, sizeof(*ends)),
		*order = calloc(f->n_nodes, sizeof(*order));
	int status = ranks && ends && order ? rank_names(f, ranks) : -1;

	if (!status) {
		sort_nodes(f, ranks, ends, order);
		for (uint32_t i = 0; i < f->n_nodes; i++) {
			f->nodes[i].child = f->nodes[i].next = 0;
			f->nodes[i].total = f->nodes[i].self[FLAME_NEW];
		}
		/* Each goes in front of those that come behind it. */
		for (uint32_t i = f->n_nodes; i--;) {
			uint32_t number = order[i];
			struct flame_node *caller = &f->nodes[f->nodes[number].parent];

			if (!number)
				continue;
			f->nodes[number].next = caller->child;
			caller->child = number;
		}
		for (uint32_t i = f->n_nodes - 1; i; i--)
			f->nodes[f->nodes[i].parent].total += f->nodes[i].total;
	}
	free(ranks);
	free(ends);
	free(order);
	return status;
}
