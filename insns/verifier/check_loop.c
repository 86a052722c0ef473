// SPDX-License-Identifier: GPL-2.0
/*
 * Loops. A state that comes back to an instruction from behind is kept at it, and the pass over the
 * program is made again, until no state changes: each of them only gets to know less.
 *
 * A function is run by bpf_loop(), on the stack of the program that calls it, any number of times.
 * So what leaves the function comes back to its beginning, and is what the program goes on with.
 */
#include "insns/verifier/check_state.h"

#include <stdlib.h>
#include <string.h>

/* A number that is another one in the next iteration may be any. */
static void widen(struct reg *now, const struct reg *before)
{
	if (now->type == REG_NUMBER && (now->min != before->min || now->max != before->max))
		*now = reg_number(0, UINT64_MAX);
}

int loop_back(struct checker *ck, unsigned int target, const struct state *s)
{
	struct state *head = ck->heads[target], before;

	if (!head) {
		ck->heads[target] = head = malloc(state_size(ck));
		if (!head)
			return fail(ck->err, "out of memory while checking a program");
		state_copy(ck, head, s);
		ck->changed = true;
		return 0;
	}
	state_copy(ck, &before, head);
	state_merge(ck, head, s);
	for (int i = 0; i < 11; i++)
		widen(&head->regs[i], &before.regs[i]);
	ck->changed |= memcmp(&before, head, state_size(ck)) != 0;
	return 0;
}

void loop_enter(const struct checker *ck, unsigned int at, struct state *s, bool live)
{
	if (!ck->heads[at])
		return;
	if (live)
		state_merge(ck, s, ck->heads[at]);
	else
		state_copy(ck, s, ck->heads[at]);
}

/* What a function knows when it begins. r10 is its own stack, which it does without. */
static void begin(const struct checker *ck, struct state *of, const struct state *s)
{
	state_copy(ck, of, s);
	memset(of->regs, 0, sizeof(of->regs));
	of->regs[BPF_REG_1] = reg_number(0, UINT64_MAX);
	of->regs[BPF_REG_2] = s->regs[BPF_REG_3];
}

int loop_call(struct checker *ck, struct state *s, unsigned int at)
{
	const unsigned int function = (unsigned int)s->regs[BPF_REG_2].off;
	struct state again, after;

	begin(ck, &again, s);
	for (unsigned int i = 0; i < ck->n; i++)
		if (i != at && ck->calls[i] == function)
			return refuse(ck, at, "another call has this function");
	ck->calls[at] = function;
	if (loop_back(ck, function, &again))
		return -1;
	/* Its iterations may have written, or forgotten, what the program had on its stack. */
	state_copy(ck, &after, s);
	loop_enter(ck, at, &after, true);
	memcpy(after.regs, s->regs, sizeof(after.regs));
	state_copy(ck, s, &after);
	return 0;
}

int loop_return(struct checker *ck, const struct state *s, unsigned int at)
{
	unsigned int call = ck->n;
	struct state again;

	begin(ck, &again, s);
	for (unsigned int i = 0; i < ck->n; i++)
		if (ck->calls[i] && ck->calls[i] <= at &&
		    (call == ck->n || ck->calls[i] > ck->calls[call]))
			call = i;
	if (call == ck->n)
		return 0;
	if (s->regs[BPF_REG_0].max > 1)
		return refuse(ck, at, "r0, the result of a function, must be 0 or 1");
	again.regs[BPF_REG_2] = (struct reg){ .type = REG_FRAME };
	return loop_back(ck, ck->calls[call], &again) || loop_back(ck, call, &again) ? -1 : 0;
}
