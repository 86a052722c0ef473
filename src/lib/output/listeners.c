// SPDX-License-Identifier: GPL-2.0
/* Who listens to a tool, and whose turn it is. */
#include "src/lib/output/listener.h"

#include <assert.h>

void output_listen(struct output *o, struct output *listener)
{
	assert(listener && listener != o && !listener->next);
	while (o->next)
		o = o->next;
	o->next = listener;
}

struct output *output_hearing(struct output *o)
{
	while (o && o->deaf)
		o = o->next;
	return o;
}

static bool hears(const struct output *o, bool people)
{
	while (o && (o->deaf || o->format->people != people))
		o = o->next;
	return o;
}

bool output_for_people(const struct output *o)
{
	return hears(o, true);
}

bool output_for_machines(const struct output *o)
{
	return hears(o, false);
}

bool output_turn(struct output *o, unsigned int *turn)
{
	enum { PEOPLE, MACHINES, ALL };
	bool heard = false;

	while (!heard && *turn <= ALL) {
		for (struct output *l = o; l; l = l->next)
			l->deaf = *turn != ALL && l->format->people != (*turn == PEOPLE);
		heard = (*turn)++ < ALL && output_hearing(o);
	}
	return heard;
}
