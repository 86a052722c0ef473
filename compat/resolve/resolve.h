/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RESOLVE_H
#define SONDE_RESOLVE_H

#include "compat/events/demand.h"
#include "compat/events/event.h"
#include "compat/events/refusal.h"
#include "compat/hooks/hooks.h"
#include "compat/kernel/kernel.h"

/* One event for a demand. */
struct resolved {
	unsigned int demand;	/* its number */
	const char *hook;	/* its hook's name */
	struct event *event;
	unsigned int n_parts;	/* number of its parts: the events before this one */
	bool requests;		/* it also sees what requests of io_uring do */
};

/* The parts of an event, e->n_parts of them, and behind these the event itself. */
static inline const struct resolved *resolved_parts(const struct resolved *e)
{
	return e - e->n_parts;
}

/*
 * An optional input or hook that is unavailable on this kernel; or a hook that is available, but
 * may be incomplete.
 */
struct lack {
	const char *hook;	/* its name; or words, of resolution_lack() */
	char input[INPUT_NAME + 1];	/* empty: the hook itself */
	char *doubt;			/* why it may be incomplete; NULL: it is unavailable */
};

struct resolution {
	unsigned int n;
	struct resolved *events;
	struct layouts layouts;	/* of the events */
	unsigned int n_lacks;
	struct lack *lacks;	/* each once */
	struct refusals refusals;	/* on failure: why a hook is unavailable */
	bool no_compat;		/* 32-bit tasks of this kernel are missed */
};

/*
 * Chooses for every demand the first alternative that this kernel and this kind of engine can
 * serve; all hooks of one group get one family. Returns -1 if a required hook is unavailable; the
 * reasons are in out->refusals, and as text in err. resolution_free() is called in either case.
 */
int resolve(struct kernel *k, enum target target, const struct demand *demands, unsigned int n,
	    struct resolution *out, struct error *err);
/* Returns true if this input, "HOOK.INPUT", is among the lacks. */
bool resolution_lacks(const struct resolution *resolution, const char *input);
/* Adds a lack that is no hook's: what it is, in words. */
void resolution_lack(struct resolution *resolution, const char *what);
void resolution_free(struct resolution *resolution);

#endif
