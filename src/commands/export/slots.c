// SPDX-License-Identifier: GPL-2.0
#include "src/commands/export/slots.h"

#include <string.h>

#include "compat/base/argv.h"

static void free_line(struct export_line *line)
{
	argv_free(line->words);
	*line = (struct export_line){ };
}

static void move_line(struct export_line *to, struct export_line *from)
{
	*to = *from;
	*from = (struct export_line){ };
}

static bool is_same(const struct export_line *a, const struct export_line *b)
{
	if (!a->words || !b->words || a->tool != b->tool || a->n != b->n)
		return false;
	for (int i = 0; i < a->n; i++)
		if (strcmp(a->words[i], b->words[i]))
			return false;
	return true;
}

/* Returns whether a line of the new ones is the slot's; it is taken from them then. */
static bool stays(const struct slot *s, struct export_lines *lines)
{
	for (unsigned int i = 0; i < lines->n; i++) {
		if (!is_same(&s->line, &lines->list[i]))
			continue;
		free_line(&lines->list[i]);
		return true;
	}
	return false;
}

/* The slot that a line waits for; `tool`: only one that this tool leaves. */
static struct slot *leaving(struct slot *slots, const struct tool *tool)
{
	for (unsigned int i = 0; i < EXPORT_TOOLS; i++)
		if (slots[i].ends && !slots[i].next.words && (!tool || slots[i].line.tool == tool))
			return &slots[i];
	return NULL;
}

static struct slot *free_one(struct slot *slots)
{
	for (unsigned int i = 0; i < EXPORT_TOOLS; i++)
		if (!slots[i].line.words)
			return &slots[i];
	return NULL;
}

static void begin(struct slot *s, struct export_line *line)
{
	move_line(&s->line, line);
	s->worker = (struct worker){ };
	s->ends = false;
	s->kill_at = 0;
	s->untold = true;
}

struct slots_change slots_take(struct slot slots[EXPORT_TOOLS], struct export_lines *lines)
{
	struct slots_change change = { };

	for (unsigned int i = 0; i < EXPORT_TOOLS; i++) {
		struct slot *s = &slots[i];

		free_line(&s->next);
		if (!s->line.words || s->ends)
			continue;
		s->ends = !stays(s, lines);
		change.stay += !s->ends;
		change.end += s->ends;
	}
	/* First those that have to wait for a slot of their own. */
	for (unsigned int i = 0; i < lines->n; i++) {
		struct export_line *line = &lines->list[i];
		struct slot *s = line->words ? leaving(slots, line->tool) : NULL;

		change.begin += line->words != NULL;
		if (s)
			move_line(&s->next, line);
	}
	/* There are as many slots as lines at most: each line has one, now or later. */
	for (unsigned int i = 0; i < lines->n; i++) {
		struct export_line *line = &lines->list[i];
		struct slot *s = line->words ? free_one(slots) : NULL;

		if (s)
			begin(s, line);
		else if (line->words && (s = leaving(slots, NULL)))
			move_line(&s->next, line);
	}
	return change;
}

void slot_next(struct slot *s)
{
	struct export_line next;

	free_line(&s->line);
	move_line(&next, &s->next);
	begin(s, &next);
}

void slots_free(struct slot slots[EXPORT_TOOLS])
{
	for (unsigned int i = 0; i < EXPORT_TOOLS; i++) {
		free_line(&slots[i].line);
		free_line(&slots[i].next);
	}
}
