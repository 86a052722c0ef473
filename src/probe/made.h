/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MADE_H
#define SONDE_MADE_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/base/error.h"
#include "src/probe/kept.h"

/* A probe that is there: a line of kprobe_events and its kin. */
struct made_probe {
	const char *list;		/* the file */
	const char *kind;		/* kprobe, kretprobe, uprobe, uretprobe, fprobe */
	const char *by;			/* who its group's name belongs to; NULL: anybody */
	char group[KEPT_NAME], name[KEPT_NAME];
	char *line;			/* without a newline */
	const char *place;		/* in the line: where it is, and its arguments */
	bool enabled;			/* in the main instance */
};

struct made_probes {
	unsigned int n;
	struct made_probe *list;
};

/* All of this tracefs, by group and name. -1 and err; made_free() in either case. */
int made_read(const char *tracefs, struct made_probes *all, struct error *err);
void made_free(struct made_probes *all);
const struct made_probe *made_find(const struct made_probes *all, const char *group,
				   const char *name);

/*
 * Makes the probe; one of its name is an error or, if `replace`, goes first, and comes back where
 * the new one is refused.
 */
int made_add(const char *tracefs, const struct kept *p, bool replace, struct error *err);
/* Removes it; one that is in use is an error, which says who may use it. */
int made_remove(const char *tracefs, const struct made_probe *p, struct error *err);

#endif
