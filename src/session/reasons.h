/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_REASONS_H
#define SONDE_REASONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "compat/base/lines.h"
#include "compat/kernel/kernel.h"
#include "compat/events/refusal.h"

#define REASONS_MOST 4			/* engines */

/* Why one engine can't serve a tool. */
struct reason {
	const char *engine;
	bool of_tool;		/* not of all that this engine could run */
	bool rights;		/* root's are missing */
	struct lines all;	/* what was said: a line for each alternative that was tried */
	char brief[400];	/* what a person has to know of it */
};

/* Why engines can't, in the order in which they were tried. All zero: none yet. */
struct reasons {
	unsigned int n;
	struct reason list[REASONS_MOST];
};

/* A feature is absent that the engine needs. */
void reasons_add_feature(struct reasons *reasons, const char *engine,
			 const struct feature_reason *why);
/*
 * `refusals`: the resolver's, the best alternative's first; NULL or none: the reason is an error's
 * text, `why`.
 */
void reasons_add(struct reasons *reasons, struct kernel *k, const char *engine, const char *why,
		 const struct refusals *refusals);

/*
 * True: one reason that all engines share, and, on lines behind it, what to do. False: several, a
 * line each behind the engines it is of. No newline at the end.
 */
bool reasons_brief(const struct reasons *reasons, char *to, size_t size);
/*
 * On one line, beside what is said of the engines elsewhere: that the kernel lacks one is left out
 * if there is more to say.
 */
void reasons_line(const struct reasons *reasons, char *to, size_t size);
/* All, a line each: `head`, the engine on its first line, the reason. */
void reasons_print(const struct reasons *reasons, FILE *out, const char *head);
void reasons_free(struct reasons *reasons);

/* Without root's rights everything has the same reason. */
#define NEEDS_ROOT "tracing needs root"

#endif
