// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/functions/calltree.h"

#include <stdlib.h>

#include "compat/base/array.h"

static struct calltree *new_tree(struct calltrees *all, uint32_t task)
{
	struct calltree *t;

	all->trees.value_size = sizeof(*t);
	t = hash_add(&all->trees, &task, sizeof(task));
	if (t)
		t->task = task;
	return t;
}

static void hand_over(struct calltrees *all, struct calltree *t)
{
	if (t->n)
		all->done(all->arg, t);
	all->n_calls -= t->n;
	t->n = t->n_open = 0;
	t->cut = false;
	free(t->calls);
	t->calls = NULL;
}

/* The innermost open call, whose end is not known. */
static void drop_open(struct calltree *t)
{
	t->n_open--;
	if (t->n_open)
		t->calls[t->open[t->n_open - 1]].gap = true;
}

static int begin(struct calltrees *all, struct calltree *t,
		 const struct funcgraph_record *record)
{
	struct call *c;

	while (t->n_open && t->levels[t->n_open - 1] >= record->depth)
		drop_open(t);
	if (!t->n_open && t->n)
		hand_over(all, t);
	if (t->cut && record->depth > t->cut_at) {
		all->cut++;
		return 0;
	}
	t->cut = t->n_open == CALLTREE_DEPTH || all->n_calls == CALLTREE_CALLS;
	if (t->cut) {
		t->cut_at = record->depth;
		if (t->n_open)
			t->calls[t->open[t->n_open - 1]].gap = true;
		all->cut++;
		return 0;
	}
	if (array_room(&t->calls, t->n, sizeof(*t->calls)))
		return -1;
	if (!t->n)
		t->first = *record;
	c = &t->calls[t->n];
	*c = (struct call){
		.function = record->function, .time = record->time, .cpu = record->cpu,
		.depth = (uint16_t)t->n_open,
	};
	t->levels[t->n_open] = record->depth;
	t->open[t->n_open++] = (uint32_t)t->n++;
	all->n_calls++;
	return 0;
}

/* Returns how many calls are open around the one that ends; n_open: its beginning is not known. */
static unsigned int find_open(const struct calltree *t,
			      const struct funcgraph_record *record)
{
	for (unsigned int i = t->n_open; i-- > 0 && t->levels[i] >= record->depth;)
		if (t->levels[i] == record->depth &&
		    t->calls[t->open[i]].function == record->function)
			return i;
	return t->n_open;
}

static void end(struct calltree *t, const struct funcgraph_record *record)
{
	const unsigned int at = find_open(t, record);
	struct call *c;

	if (t->cut && record->depth <= t->cut_at)
		t->cut = false;
	if (at == t->n_open)
		return;
	while (t->n_open > at + 1)
		drop_open(t);
	c = &t->calls[t->open[at]];
	c->ns = record->ns;
	c->ended = true;
	c->gap |= record->gap;
	t->n_open = at;
	if (at)
		t->calls[t->open[at - 1]].inner += record->ns;
}

int calltrees_add(struct calltrees *all, const struct funcgraph_record *record)
{
	const uint32_t task = record->pid_tgid ? (uint32_t)record->pid_tgid : ~record->cpu;
	struct calltree *t = hash_find(&all->trees, &task, sizeof(task));

	if (record->kind == GRAPH_BEGINS) {
		t = t ? t : new_tree(all, task);
		return t ? begin(all, t, record) : -1;
	}
	if (!t)
		return 0;
	end(t, record);
	if (t->n_open || t->cut)
		return 0;
	hand_over(all, t);
	hash_remove(&all->trees, &task, sizeof(task));
	return 0;
}

void calltrees_finish(struct calltrees *all)
{
	struct calltree *t;

	for (uint32_t at = 0; (t = hash_next(&all->trees, &at));)
		hand_over(all, t);
}

void calltrees_free(struct calltrees *all)
{
	struct calltree *t;

	for (uint32_t at = 0; (t = hash_next(&all->trees, &at));)
		free(t->calls);
	hash_clear(&all->trees);
}
