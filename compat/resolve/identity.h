/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_IDENTITY_H
#define SONDE_IDENTITY_H

#include "compat/kernel/kernel.h"
#include "compat/events/event.h"

/*
 * Inputs that every hook has: time, CPU and task. Only this table says which kind of engine
 * provides which of them. Ids are those of the initial pid namespace.
 */
struct identity {
	const char *name;
	enum input_kind kind;
	uint16_t size;
	/* of the current task: means nothing if another task acts */
	bool of_task;
	/* the rings' records lack it: their engines look it up in a table of tasks */
	bool of_process;
	/* of the function that was hit: from the event's record or registers */
	bool of_function;
	/* which of many functions was hit: events provide it to BPF programs */
	bool numbered;
	const char *no_ring;		/* why the rings lack it; NULL: they have it */
	const char *no_bpf;		/* why BPF on a kernel without feature `bpf` lacks it */
	enum feature bpf;		/* the feature that BPF programs need for it; 0: none */
	/*
	 * For BPF, if no helper returns it: how to read it from the current task's struct, in the
	 * notation of compat/events/fetch.h; NULL: a helper returns it.
	 */
	const char *current;
	const char *no_members;		/* why BPF lacks it, if a member's offset is not known */
	/* the second pointer is an entry of an array: where its index is; NULL: no array */
	const char *index;
};

/* A row by its number, or by the name in a program. identity_named() returns NULL if unknown. */
const struct identity *identity_row(enum identity_id id);
const struct identity *identity_named(const char *wanted);
/* Why engines of this kind lack it on such events. Returns NULL if they have it. */
const char *identity_missing(const struct identity *id, struct kernel *k, enum target target,
			     enum event_kind kind);
/* Adds it to a layout. Returns NULL if there is no room. */
struct input *identity_add(struct layout *l, const struct identity *id);
/* Return true if an input of the layout is of the current task, or of its process. */
bool layout_of_task(const struct layout *l);
bool layout_of_process(const struct layout *l);
/* Return true if the layout has this input, or a stack. */
bool layout_wants(const struct layout *l, enum identity_id id);
bool layout_wants_stack(const struct layout *l);

#endif
