/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXPRESSION_STEPS_H
#define SONDE_EXPRESSION_STEPS_H

#include <stdint.h>

#include "compat/expressions/expression.h"

/*
 * A compiled expression: steps of a machine that is in many states at once. For each character of
 * the text it knows all steps that may come next. Jumps are relative, so repeated parts can be
 * moved and copied.
 */
enum step_kind {
	STEP_CHARACTER, STEP_ANY, STEP_SET,		/* take a character */
	STEP_JUMP, STEP_EITHER,
	STEP_BEGIN, STEP_END, STEP_EDGE, STEP_NO_EDGE, STEP_WORD_BEGIN, STEP_WORD_END,
	STEP_MATCH,
};

struct step {
	uint8_t kind, character;
	uint16_t set;
	int16_t to, other;		/* relative targets; STEP_EITHER takes both */
};

struct set {
	uint8_t bits[32];
};

struct expression {
	struct step *steps;
	struct set *sets;
	unsigned int n, n_sets;
	/* states: steps that wait for a character, this one and the next; steps still to follow */
	uint16_t *now, *next, *look;
	uint32_t *seen, turn;		/* for each step: the turn in which it was last followed */
};

/* Returns true for a letter, a digit or `_`. */
bool is_word(int c);

#endif
