// SPDX-License-Identifier: GPL-2.0
/* What processes of a recording did, for names of their functions. */
#include "compat/recordings/recording_changes.h"
#include "src/lib/symbols/symbols.h"

static void mapped(struct symbols *s, const struct recorded_change *c)
{
	symbols_mapped(s, &(struct symbols_mapping){
		.pid = c->pid, .time = c->time,
		.start = c->start, .length = c->length, .offset = c->offset,
		.major = c->major, .minor = c->minor,
		.inode = c->inode, .generation = c->generation,
		.build_id = c->identified ? c->build_id : NULL,
		.code = c->code, .path = c->text,
	});
}

void symbols_changed(struct symbols *s, const struct recorded_change *c)
{
	switch (c->kind) {
	case CHANGE_MAP:
		mapped(s, c);
		break;
	case CHANGE_EXEC:
		symbols_executed(s, c->pid, c->time);
		break;
	case CHANGE_FORK:
		symbols_forked(s, c->parent, c->pid, c->time);
		break;
	case CHANGE_EXIT:
		symbols_exited(s, c->pid, c->time);
		break;
	case CHANGE_NAME:
		break;
	}
}
