// SPDX-License-Identifier: GPL-2.0
/* Columns beside a tool's own, of the task that acts in a row. */
#include <string.h>

#include "src/lib/output/listener.h"

enum { PID, TID, COMM, OF_ACTOR };
static const struct {
	const char *name, *head;
} of_actor[OF_ACTOR] = { { "pid", "PID" }, { "tid", "TID" }, { "comm", "COMM" } };

/* Columns that only people have have no name. */
static bool is(const struct column *c, unsigned int i)
{
	return *c->name ? !strcmp(c->name, of_actor[i].name) : !strcmp(c->head, of_actor[i].head);
}

bool cell_is_of_actor(const struct column *c)
{
	for (unsigned int i = 0; i < OF_ACTOR; i++)
		if (is(c, i))
			return true;
	return false;
}

struct cell_actor cell_actor_of(const struct output_source *source)
{
	struct cell_actor actor = { .part = source->parts };

	for (const struct column *c = source->columns; c && c->head; c++) {
		struct cell pid = { .column = c };

		if (c->type == COLUMN_INTEGER && is(c, PID) && cell_find(&pid, source)) {
			actor.pid = pid;
			break;
		}
	}
	if (actor.part && actor.part->layout)
		actor.time = layout_field(actor.part->layout, "time");
	return actor;
}

void cell_read_beside(struct output *o, const struct cell *c, const void *row, union value *to)
{
	const struct cell_actor *a = &o->actor;
	struct output_actor actor = { .pid = NOTHING };
	union value room;

	if (a->pid.column)
		memcpy(&actor.pid, cell_value(o, &a->pid, row, &room), sizeof(actor.pid));
	if (a->time)
		actor.time = field_number(a->time, row_part(a->part, row));
	to->text = o->source.beside.text(o->source.arg, c->column, &actor, o->format->people);
}
