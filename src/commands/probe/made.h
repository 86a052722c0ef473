/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MADE_H
#define SONDE_MADE_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/base/error.h"
#include "src/commands/probe/kept.h"

/* A probe in the kernel: a line of kprobe_events or a similar file. */
struct made_probe {
	const char *list;		/* the file */
	const char *kind;		/* kprobe, kretprobe, uprobe, uretprobe, fprobe */
	/* the program that uses groups of this name; NULL: unknown */
	const char *by;
	char group[KEPT_NAME], name[KEPT_NAME];
	char *line;			/* without a newline */
	const char *place;		/* in the line: the place and the arguments */
	bool enabled;			/* in the main instance */
};

struct made_probes {
	unsigned int n;
	struct made_probe *list;
};

/*
 * Reads all probes of this tracefs, sorted by group and name. Returns -1 and sets err on failure;
 * made_free() is called in either case.
 */
int made_read(const char *tracefs, struct made_probes *all, struct error *err);
void made_free(struct made_probes *all);
/* The probe of that name. Returns NULL if there is none. */
const struct made_probe *made_find(const struct made_probes *all, const char *group,
				   const char *name);

/*
 * Makes the probe. If its name is taken: with `replace` the old probe is removed first, and made
 * again if the kernel refuses the new one; otherwise it is an error. Returns -1 and sets err.
 */
int made_add(const char *tracefs, const struct kept *p, bool replace, struct error *err);
/*
 * Removes a probe. Returns -1 and sets err on failure; if the probe is in use, the text names
 * possible users.
 */
int made_remove(const char *tracefs, const struct made_probe *p, struct error *err);

#endif
