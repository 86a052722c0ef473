/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RESOLVE_H
#define SONDE_RESOLVE_H

#include "compat/event.h"
#include "compat/hooks.h"
#include "compat/kernel.h"

/* An input's name may end with `?`: the program can do without. */
struct wanted_input {
	const char *name;
	enum input_kind kind;
};

/* What a program asks of a hook. */
struct demand {
	const struct hook *hook;
	bool optional;		/* the tool can do without the whole hook */
	bool spare;		/* and misses nothing then */
	unsigned int n_inputs;
	struct wanted_input *inputs;
};

/* One event that serves a demand. */
struct resolved {
	unsigned int demand;	/* its number */
	struct event *event;
	unsigned int n_parts;	/* of the events before this one that are its parts */
};

struct resolution {
	unsigned int n;
	struct resolved *events;
	struct layouts layouts;	/* of the events */
	/* For people: what was chosen ("open.enter: kprobe do_sys_openat2"), and what can't be had here, one per line. */
	char *chosen, *missing;
	char *doubts;		/* why hooks may be incomplete; they are among what is missing */
	bool no_compat;		/* 32-bit tasks of this kernel are not seen */
};

/*
 * Chooses for every demand the first alternative this kernel and this kind of engine can serve, all of one group from
 * one family. -1 and the reasons in err if a hook can't be served. resolution_free() in either case.
 */
int resolve(struct kernel *k, enum target target, const struct demand *demands, unsigned int n,
	    struct resolution *out, struct error *err);
void resolution_free(struct resolution *r);

#endif
