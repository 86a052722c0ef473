/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HANDLERS_H
#define SONDE_HANDLERS_H

#include "backends/backend.h"

/* What a stream does with the events of one attachment. */
struct handler {
	int program;		/* of the machine; -1: none */
	/* false: an earlier attachment counts the same event of the kernel */
	bool counted;
	bool is_part;
	bool stacked;		/* stacks come before its records */
	bool switches;		/* its records are followed (switches.h) */
	/* its program takes records as they are: no texts, no stacks, no tasks */
	bool plain;
	uint32_t main;		/* of a part: its main event, and the number of its first text */
	uint32_t part;
	uint32_t n_texts;	/* number of texts of its parts */
};

/*
 * Makes a handler for each attachment of the plan, by its number; the caller frees. Programs have
 * the numbers of the plan. Returns NULL if there is no memory.
 */
struct handler *handlers_new(const struct plan *plan);
/* The largest number of texts of one event's parts. */
unsigned int handlers_texts(const struct plan *plan);

#endif
