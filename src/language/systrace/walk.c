// SPDX-License-Identifier: GPL-2.0
/* The walk along the arguments of a call, and what its programs do with it. */
#include "src/language/systrace/arguments.h"

#include <string.h>

bool argument_is(const struct argument *a, const char *kind)
{
	return a->kind_length == strlen(kind) && !memcmp(a->kind, kind, a->kind_length);
}

bool is_halves(const struct argument *a)
{
	return argument_is(a, "split") || argument_is(a, "hilo");
}

bool next_argument(struct argument_walk *w, struct argument *a)
{
	const char *word = w->words ? w->words + strspn(w->words, " ") : "";
	size_t length = strcspn(word, " ");
	const char *colon;
	bool wide;

	if (!length)
		return false;
	w->words = word + length;
	wide = *word == '2';
	word += wide;
	length -= wide;
	colon = memchr(word, ':', length);
	a->kind = word;
	a->kind_length = (uint8_t)(colon ? colon - word : (ptrdiff_t)length);
	a->name = colon ? colon + 1 : word;
	a->name_length = (uint8_t)(length - (size_t)(a->name - word));
	wide &= w->registers.size == 4;
	if (wide && w->registers.even)
		w->at += w->at & 1;
	a->at = w->at;
	a->registers = wide || is_halves(a) ? 2 : 1;
	a->high_first = is_halves(a) ? argument_is(a, "hilo") : w->registers.high_first;
	w->at += a->registers;
	return true;
}

uint64_t call_plan(const struct arch *arch, uint32_t slot)
{
	const char *name = call_name(arch, slot);
	struct argument_walk w = {
		.words = name ? call_words(name) : NULL,
		.registers = call_registers(arch, slot),
	};
	uint64_t plan = PLAN_WANTED | (w.registers.word == 4 ? PLAN_NARROW : 0);
	unsigned int shift = PLAN_FIRST_SHIFT;
	struct argument a;

	if (name && (!strcmp(name, "exit") || !strcmp(name, "exit_group")))
		plan |= PLAN_NO_RETURN;
	while (next_argument(&w, &a)) {
		bool address = argument_is(&a, "sockaddr"), argv = argument_is(&a, "argv");

		/* A call has texts, or one and a row of them, or one address. */
		if ((!address && !argv && !argument_is(&a, "path")) || shift > PLAN_SECOND_SHIFT)
			continue;
		plan |= (a.at + 1ULL) << shift | (address ? PLAN_SOCKADDR : 0) |
			(argv ? PLAN_ARGV : 0);
		shift += PLAN_SECOND_SHIFT - PLAN_FIRST_SHIFT;
	}
	return plan;
}
