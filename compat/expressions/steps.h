/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXPRESSION_STEPS_H
#define SONDE_EXPRESSION_STEPS_H

#include <stdint.h>

#include "compat/expressions/expression.h"

/*
 * An expression becomes steps of a machine that is in many states at once: for each character of
 * the text, all steps that may come next. Jumps are relative, so that what is repeated can be moved
 * and copied.
 */
enum step_kind {
	STEP_CHARACTER, STEP_ANY, STEP_SET,		/* take one */
	STEP_JUMP, STEP_EITHER,
	STEP_BEGIN, STEP_END, STEP_EDGE, STEP_NO_EDGE, STEP_WORD_BEGIN, STEP_WORD_END,
	STEP_MATCH,
};

struct step {
	uint8_t kind, character;
	uint16_t set;
	int16_t to, other;		/* from here; STEP_EITHER goes both ways */
};

struct set {
	uint8_t bits[32];
};

struct expression {
	struct step *steps;
	struct set *sets;
	unsigned int n, n_sets;
	/* states: the steps that wait for a character, now and next; those to look at */
	uint16_t *now, *next, *look;
	uint32_t *seen, turn;		/* by step: the turn it was last looked at */
};

/* A letter, a digit or `_`. */
bool is_word(int c);

#endif
