/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RESOLVE_H
#define SONDE_RESOLVE_H

#include "compat/events/demand.h"
#include "compat/events/event.h"
#include "compat/events/refusal.h"
#include "compat/hooks/hooks.h"
#include "compat/kernel/kernel.h"

/* One event that serves a demand. */
struct resolved {
	unsigned int demand;	/* its number */
	const char *hook;	/* its hook's name */
	struct event *event;
	unsigned int n_parts;	/* of the events before this one that are its parts */
};

/*
 * What this kernel does not serve: an optional input, or a hook; or a hook that it serves, but that
 * may be incomplete.
 */
struct lack {
	const char *hook;
	char input[INPUT_NAME + 1];	/* empty: the hook */
	char *doubt;			/* why it may be incomplete; NULL: it is not served */
};

struct resolution {
	unsigned int n;
	struct resolved *events;
	struct layouts layouts;	/* of the events */
	unsigned int n_lacks;
	struct lack *lacks;	/* what it has to do without; each once */
	struct refusals refusals;	/* of the hook that is not served; empty: all are */
	bool no_compat;		/* 32-bit tasks of this kernel are not seen */
};

/*
 * Chooses for every demand the first alternative that this kernel and this kind of engine can
 * serve, all of one group from one family. If a hook can't be served: -1, and the reasons in
 * out->refusals, and in words in err. Call resolution_free() in either case.
 */
int resolve(struct kernel *k, enum target target, const struct demand *demands, unsigned int n,
	    struct resolution *out, struct error *err);
/* Is this input, "HOOK.INPUT", among the lacks? */
bool resolution_lacks(const struct resolution *resolution, const char *input);
void resolution_free(struct resolution *resolution);

#endif
