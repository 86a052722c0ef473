// SPDX-License-Identifier: GPL-2.0
/* Matches a text: runs the steps of an expression. */
#include <string.h>

#include "compat/expressions/steps.h"

struct place {
	bool begin, end, word_before, word_behind;
};

static bool is_here(const struct step *s, const struct place *p)
{
	switch (s->kind) {
	case STEP_BEGIN:
		return p->begin;
	case STEP_END:
		return p->end;
	case STEP_EDGE:
		return p->word_before != p->word_behind;
	case STEP_NO_EDGE:
		return p->word_before == p->word_behind;
	case STEP_WORD_BEGIN:
		return !p->word_before && p->word_behind;
	}
	return p->word_before && !p->word_behind;
}

static void look_at(struct expression *e, unsigned int *n, unsigned int step)
{
	if (e->seen[step] == e->turn)
		return;
	e->seen[step] = e->turn;
	e->look[(*n)++] = (uint16_t)step;
}

/*
 * Adds a step to the list if the step takes a character. Otherwise follows it to the steps behind
 * it. Returns true if STEP_MATCH is reached.
 */
static bool reach(struct expression *e, unsigned int step, const struct place *p, uint16_t *list,
		  unsigned int *n_list)
{
	unsigned int n = 0;

	look_at(e, &n, step);
	while (n) {
		const unsigned int i = e->look[--n];
		const struct step *s = &e->steps[i];

		if (s->kind <= STEP_SET) {
			list[(*n_list)++] = (uint16_t)i;
		} else if (s->kind <= STEP_EITHER) {
			look_at(e, &n, i + (unsigned int)s->to);
			if (s->kind == STEP_EITHER)
				look_at(e, &n, i + (unsigned int)s->other);
		} else if (s->kind == STEP_MATCH) {
			return true;
		} else if (is_here(s, p)) {
			look_at(e, &n, i + 1);
		}
	}
	return false;
}

static bool set_has(const struct set *s, uint8_t c)
{
	return s->bits[c / 8] >> c % 8 & 1;
}

static bool takes(const struct expression *e, const struct step *s, uint8_t c)
{
	return s->kind == STEP_ANY || (s->kind == STEP_CHARACTER && s->character == c) ||
		(s->kind == STEP_SET && set_has(&e->sets[s->set], c));
}

static struct place place_of(const char *text, const char *at)
{
	return (struct place){
		.begin = at == text, .end = !*at,
		.word_before = at > text && is_word((uint8_t)at[-1]),
		.word_behind = is_word((uint8_t)*at),
	};
}

static void new_turn(struct expression *e)
{
	if (!++e->turn) {
		memset(e->seen, 0, e->n * sizeof(*e->seen));
		e->turn = 1;
	}
}

bool expression_matches(struct expression *e, const char *text)
{
	const bool only_at_begin = e->steps[0].kind == STEP_BEGIN;
	struct place p = place_of(text, text);
	unsigned int n = 0, n_next;

	new_turn(e);
	if (reach(e, 0, &p, e->now, &n))
		return true;
	for (const char *at = text; *at && (n || !only_at_begin); at++) {
		uint16_t *spare = e->now;

		p = place_of(text, at + 1);
		new_turn(e);
		n_next = 0;
		for (unsigned int i = 0; i < n; i++)
			if (takes(e, &e->steps[e->now[i]], (uint8_t)*at) &&
			    reach(e, e->now[i] + 1u, &p, e->next, &n_next))
				return true;
		if (!only_at_begin && reach(e, 0, &p, e->next, &n_next))
			return true;
		e->now = e->next;
		e->next = spare;
		n = n_next;
	}
	return false;
}
