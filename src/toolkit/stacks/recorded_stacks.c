// SPDX-License-Identifier: GPL-2.0
/* What processes of a recording did, for names of their functions and of themselves. */
#include "compat/recordings/recording_changes.h"
#include "src/toolkit/stacks/stacks_internal.h"

void stacks_changed(struct stacks *s, const struct recorded_change *c)
{
	symbols_changed(s->symbols, c);
	switch (c->kind) {
	case CHANGE_MAP:
		break;
	case CHANGE_EXEC:
		lives_exec(&s->lives, c->pid, c->time, c->text);
		break;
	case CHANGE_NAME:
		if (c->time)
			lives_rename(&s->lives, c->pid, c->text);
		else
			lives_seed(&s->lives, c->pid, c->text, c->tid == c->pid);
		break;
	case CHANGE_FORK:
		lives_fork(&s->lives, c->parent, c->pid, c->time);
		break;
	case CHANGE_EXIT:
		lives_end(&s->lives, c->pid, c->time);
		break;
	}
}
