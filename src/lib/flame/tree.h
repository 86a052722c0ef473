/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FLAME_TREE_H
#define SONDE_FLAME_TREE_H

#include "src/lib/flame/flame.h"

/* The frames of all stacks, merged from the root on. A caller is in front of what it calls. */
struct flame_node {
	uint32_t name, parent;
	uint32_t child, next;		/* 0: none; by name, once tree_order() was called */
	uint64_t self[FLAME_SIDES];
	uint64_t total;			/* of FLAME_NEW; tree_order() sums it up */
};

struct flame_name {
	uint32_t offset, length;	/* in bytes */
	uint32_t hash;
	enum flame_kind kind;
};

/* Numbers by hash; 0: empty. */
struct flame_table {
	uint32_t *slots;
	size_t mask;			/* how many there are, less one */
};

struct flame {
	struct flame_node *nodes;	/* the first is the root, which has no name */
	struct flame_name *names;	/* the first is that of the root */
	char *bytes;
	uint32_t n_nodes, n_names;
	size_t n_bytes, room_bytes;
	struct flame_table by_caller, by_name;
	uint64_t seed;			/* nobody can prepare names that are all in one place */
	uint64_t totals[FLAME_SIDES];
	uint64_t cut;			/* stacks that are deeper than FLAME_DEPTH */
	uint64_t no_room;		/* stacks */
	bool thousandths;
};

/* Children by name, and totals. -1: no memory. */
int tree_order(struct flame *f);

static inline const char *tree_name(const struct flame *f, const struct flame_node *n,
				    size_t *length)
{
	const struct flame_name *name = &f->names[n->name];

	*length = name->length;
	return f->bytes + name->offset;
}

#endif
