/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_REASONS_H
#define SONDE_REASONS_H

#include <stdbool.h>
#include <stddef.h>

#include "compat/base/error.h"
#include "compat/kernel/kernel.h"
#include "compat/resolve/refusal.h"

#define REASONS_MOST 4			/* engines */

/* Why engines can't serve a tool: all that was said, and what a person has to know of it. */
struct reasons {
	/* lines: ENGINE  REASON, for each alternative that was tried */
	struct error all;
	unsigned int n;
	struct {
		const char *engine;
		bool of_tool;		/* not of all that this engine could run */
		bool rights;		/* root's are missing */
		char text[400];
	} brief[REASONS_MOST];
};

/* A feature is absent that the engine needs. */
void reasons_add_feature(struct reasons *r, const char *engine, const struct feature_reason *why);
/*
 * `why`: an error's text. `refusals`: those that its lines are of, the best alternative's first;
 * NULL or none: it is of something else.
 */
void reasons_add(struct reasons *r, struct kernel *k, const char *engine, const char *why,
		 const struct refusals *refusals);

/*
 * True: one reason that all engines share, and, on lines behind it, what to do. False: several, a
 * line each behind the engines it is of. No newline at the end.
 */
bool reasons_brief(const struct reasons *r, char *to, size_t size);
/*
 * On one line, beside what is said of the engines elsewhere: that the kernel lacks one is left out
 * if there is more to say.
 */
void reasons_line(const struct reasons *r, char *to, size_t size);

/* Without root's rights everything has the same reason. */
#define NEEDS_ROOT "tracing needs root"

#endif
