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
	bool of_tool;		/* of this tool; false: the engine can't run any tool */
	bool rights;		/* root's rights are missing */
	struct lines all;	/* a line for each alternative that was tried */
	char brief[400];	/* the reason for people */
	int number;		/* as in struct error */
};

/* Why engines can't serve a tool, in the order they were tried. All zero: no reasons yet. */
struct reasons {
	unsigned int n;
	struct reason list[REASONS_MOST];
};

/* Adds: the engine needs a feature that is missing, or is unknown (kernel_unknown()). */
void reasons_add_feature(struct reasons *reasons, const char *engine,
			 const struct feature_reason *why, bool unknown);
/*
 * Adds the resolver's refusals, the best alternative's first. If `refusals` is NULL or empty, the
 * reason is the error `why`.
 */
void reasons_add(struct reasons *reasons, struct kernel *k, const char *engine,
		 const struct error *why, const struct refusals *refusals);

/*
 * Writes the reasons without a newline at the end. Returns true if all engines have one reason: it
 * is the first line, and advice follows. Returns false if there are several: a line for each,
 * behind the names of its engines.
 */
bool reasons_brief(const struct reasons *reasons, char *to, size_t size);
/* The first number of theirs, for struct error. */
int reasons_number(const struct reasons *reasons);
/*
 * Writes the reasons on one line, for a place that shows the engines' states anyway: the absence of
 * an engine is left out if there are other reasons.
 */
void reasons_line(const struct reasons *reasons, char *to, size_t size);
/* Prints all refusals, a line each: `head`, the engine on its first line, the reason. */
void reasons_print(const struct reasons *reasons, FILE *out, const char *head);
void reasons_free(struct reasons *reasons);

/* The reason of every engine without root's rights. */
#define NEEDS_ROOT "tracing needs root"

#endif
