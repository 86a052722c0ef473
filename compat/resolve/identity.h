/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_IDENTITY_H
#define SONDE_IDENTITY_H

#include "compat/kernel/kernel.h"
#include "compat/events/event.h"

/*
 * Inputs that every hook has: when, where and who. Here, and nowhere else, is which of them each
 * kind of engine knows. Ids are those of the initial pid namespace.
 */
struct identity {
	const char *name;
	enum input_kind kind;
	uint16_t size;
	/* of the current task: means nothing where another task acts */
	bool of_task;
	/* the rings' records do not have it: their engines keep a table of tasks */
	bool of_process;
	/* of the function that was hit: the event tells it, from its record or registers */
	bool of_function;
	/* which of many functions was hit: the event tells BPF programs */
	bool numbered;
	const char *no_ring;		/* why the rings can't tell it; NULL: they do */
	const char *no_bpf;		/* why a kernel without that can't tell it */
	enum feature bpf;		/* BPF programs need this one for it; 0: they need none */
	/*
	 * For BPF programs that no helper tells: how it is read from the current task's struct, in
	 * the notation of compat/resolve/fetch.h; NULL: a helper tells.
	 */
	const char *current;
	/* the second pointer is an entry of an array, whose index is here; NULL: it is not */
	const char *index;
};

/* A row by its number, or by the name in a program; NULL: there is none of that name. */
const struct identity *identity_row(enum identity_id id);
const struct identity *identity_named(const char *wanted);
/* Why engines of this kind can't tell it on such events; NULL: they do. */
const char *identity_missing(const struct identity *id, struct kernel *k, enum target target,
			     enum event_kind kind);
/* Adds it to a layout; NULL: there is no room. */
struct input *identity_add(struct layout *l, const struct identity *id);
/* Does any input of the layout tell of the current task, or of its process? */
bool layout_of_task(const struct layout *l);
bool layout_of_process(const struct layout *l);
/* Does it ask for that input? */
bool layout_wants(const struct layout *l, enum identity_id id);
bool layout_wants_stack(const struct layout *l);

#endif
