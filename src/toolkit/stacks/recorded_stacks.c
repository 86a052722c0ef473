// SPDX-License-Identifier: GPL-2.0
/* What processes of a recording did, for names of their functions. */
#include "compat/recordings/recording_changes.h"
#include "src/toolkit/stacks/stacks_internal.h"

static void mapped(struct stacks *s, const struct recorded_change *c)
{
	symbols_mapped(s->symbols, &(struct symbols_mapping){
		.pid = c->pid, .time = c->time,
		.start = c->start, .length = c->length, .offset = c->offset,
		.major = c->major, .minor = c->minor,
		.inode = c->inode, .generation = c->generation,
		.build_id = c->identified ? c->build_id : NULL,
		.code = c->code, .path = c->text,
	});
}

void stacks_changed(struct stacks *s, const struct recorded_change *c)
{
	switch (c->kind) {
	case CHANGE_MAP:
		mapped(s, c);
		break;
	case CHANGE_EXEC:
		symbols_executed(s->symbols, c->pid, c->time);
		lives_exec(&s->lives, c->pid, c->time, c->text);
		break;
	case CHANGE_NAME:
		if (c->time)
			lives_rename(&s->lives, c->pid, c->text);
		else
			lives_seed(&s->lives, c->pid, c->text, c->tid == c->pid);
		break;
	case CHANGE_FORK:
		symbols_forked(s->symbols, c->parent, c->pid, c->time);
		lives_fork(&s->lives, c->parent, c->pid, c->time);
		break;
	case CHANGE_EXIT:
		symbols_exited(s->symbols, c->pid, c->time);
		lives_end(&s->lives, c->pid, c->time);
		break;
	}
}
