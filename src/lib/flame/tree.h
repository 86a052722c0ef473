/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FLAME_TREE_H
#define SONDE_FLAME_TREE_H

#include "compat/base/hash_bytes.h"
#include "compat/base/hash_index.h"
#include "src/lib/flame/flame.h"

/*
 * The tree of frames: all stacks, merged from the root on. In the array a caller precedes the
 * functions that it calls.
 */
struct flame_node {
	uint32_t name, parent;		/* numbers of a name, and of the caller's node */
	/* first callee, and next callee of the same caller; sorted by tree_order(); 0: none */
	uint32_t child, next;
	uint64_t self[FLAME_SIDES];	/* value of stacks that end here */
	uint64_t total;			/* of FLAME_NEW with all callees; tree_order() sums it up */
};

struct flame_name {
	uint32_t offset, length;	/* in flame.bytes */
	enum flame_kind kind;
};

struct flame {
	struct flame_node *nodes;	/* the first is the root; its name is empty */
	struct flame_name *names;	/* the first is the root's */
	char *bytes;			/* all names */
	uint32_t n_nodes, n_names;
	size_t n_bytes, room_bytes;	/* of `bytes`: used, allocated */
	struct hash_index by_caller, by_name;	/* of nodes, and of names, but the first */
	struct hash_seed seed;
	uint64_t totals[FLAME_SIDES];
	uint64_t cut;			/* stacks deeper than FLAME_DEPTH */
	uint64_t no_room;		/* stacks beyond the limits of frames and names */
	bool thousandths;		/* values are thousandths */
};

/* Sorts callees by name and sums up the totals. Returns -1 if there is no memory. */
int tree_order(struct flame *f);

/* The bytes of a node's name; they have no NUL at the end. */
static inline const char *tree_name(const struct flame *f, const struct flame_node *n,
				    size_t *length)
{
	const struct flame_name *name = &f->names[n->name];

	*length = name->length;
	return f->bytes + name->offset;
}

#endif
