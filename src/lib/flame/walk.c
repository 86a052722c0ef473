// SPDX-License-Identifier: GPL-2.0
/* Which frames are drawn, and what there is to say of the others. */
#include "src/lib/flame/drawing.h"

double drawing_share(const struct drawing *d, enum flame_side side, uint64_t value)
{
	const double *seconds = d->look->seconds;
	double total = (double)d->f->totals[side];

	/* The same share of FLAME_NEW's total is then the same value per second. */
	if (seconds[FLAME_NEW] > 0 && seconds[FLAME_OLD] > 0)
		total = (double)d->f->totals[FLAME_NEW] * seconds[side] / seconds[FLAME_NEW];
	return total > 0 ? (double)value / total : 0;
}

double drawing_width(const struct drawing *d, uint64_t value)
{
	return drawing_share(d, FLAME_NEW, value) * (d->look->width - 2 * FLAME_LEFT);
}

double drawing_change(const struct drawing *d, const struct flame_node *n)
{
	return drawing_share(d, FLAME_NEW, n->self[FLAME_NEW]) -
	       drawing_share(d, FLAME_OLD, n->self[FLAME_OLD]);
}

static bool narrow(const struct drawing *d, const struct flame_node *n)
{
	const struct flame_look *look = d->look;
	double width = look->narrowest_is_share ? 100 * drawing_share(d, FLAME_NEW, n->total) :
		drawing_width(d, n->total);

	return n != d->f->nodes && width < look->narrowest;
}

/* A frame that is too narrow, or in OLD only, and all above it. */
static void see_left_out(struct drawing *d, const struct flame_node *top)
{
	const struct flame_node *nodes = d->f->nodes, *n = top;
	struct seen *s = &d->seen;

	s->narrow_value += top->total;
	for (;;) {
		s->narrow += n->total > 0;
		s->gone += !n->total && n->self[FLAME_OLD];
		s->gone_value += n->total ? 0 : n->self[FLAME_OLD];
		if (n->child) {
			n = &nodes[n->child];
			continue;
		}
		while (n != top && !n->next)
			n = &nodes[n->parent];
		if (n == top)
			return;
		n = &nodes[n->next];
	}
}

static void see(struct drawing *d, const struct place *p)
{
	struct seen *s = &d->seen;
	double change = d->look->old ? drawing_change(d, p->node) : 0;

	s->frames++;
	s->deepest = p->depth > s->deepest ? p->depth : s->deepest;
	s->kinds[d->f->names[p->node->name].kind] = true;
	s->change = change > s->change ? change : -change > s->change ? -change : s->change;
}

/*
 * Each frame that is drawn, a caller before what it calls; and the topmost ones of those that are
 * not.
 */
static void walk(struct drawing *d, void (*each)(struct drawing *d, const struct place *p),
		 void (*left_out)(struct drawing *d, const struct flame_node *n))
{
	const struct flame_node *nodes = d->f->nodes;
	uint64_t lefts[FLAME_DEPTH + 3];
	struct place p = { .node = nodes };

	for (;;) {
		bool shown = !narrow(d, p.node) && p.node->total;

		lefts[p.depth] = p.left;
		if (shown)
			each(d, &p);
		else if (left_out)
			left_out(d, p.node);
		if (shown && p.node->child) {
			p.depth++;
			p.node = &nodes[p.node->child];
			continue;
		}
		while (p.depth && !p.node->next)
			p = (struct place){ &nodes[p.node->parent], p.depth - 1 };
		if (!p.depth)
			return;
		p.left = lefts[p.depth] + p.node->total;
		p.node = &nodes[p.node->next];
	}
}

void drawing_walk(struct drawing *d, void (*each)(struct drawing *d, const struct place *p))
{
	walk(d, each, NULL);
}

void drawing_see(struct drawing *d)
{
	walk(d, see, see_left_out);
}
