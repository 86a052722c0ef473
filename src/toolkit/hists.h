/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HISTS_H
#define SONDE_HISTS_H

#include "src/run/tool.h"

#define HIST_NAME 40			/* bytes of a group's name */

/* A histogram of a group, for instance a disk: the group has an id or a name. */
struct hist_group {
	uint64_t id;
	char name[HIST_NAME + 1];	/* of a group without an id; ends with a NUL */
	struct hist hist;
	uint64_t sum;			/* of all values, if run_is_exact() */
};

/* Histograms by group, sorted by id and name, as tools take them from a map and print them. */
struct hists {
	struct hist_group **groups;
	unsigned int n;
	bool failed;			/* out of memory */
};

/* Adds to one slot of a group's histogram; HIST_SLOTS: to its sum. */
void hists_add(struct hists *h, uint64_t id, uint32_t slot, uint64_t count);
/* The same for groups by name, a text of at most HIST_NAME bytes. */
void hists_add_name(struct hists *h, const char *name, uint32_t slot, uint64_t count);
void hists_free(struct hists *h);

/*
 * Takes a map of histograms, from keys to counts (u64). The layout of its keys has a field "slot"
 * and, for groups, a second field: a number is the group's id, a text or an address its name. If
 * keys have only slots, the group is 0. Returns -1 and sets err on failure.
 */
int hists_take(struct run *r, const char *map, struct hists *h, struct error *err);

/*
 * How a tool shows an interval: the map "hist" as one histogram; or, if `grouped`, the map "hists"
 * with a histogram for each group. With `totals`, averages are shown from the map "totals".
 */
#define HISTS_VALUE 128
struct hists_shown {
	const char *name, *unit;
	const char *exact;		/* the unit if run_is_exact(); NULL: of times "nsecs" */
	bool grouped, totals;
	const char *groups;		/* the map of groups; NULL: "hists" */
	/* merges groups; may be NULL */
	int (*merge)(struct hists *h, struct error *err);
	/* fills in a group's name and value; `value` has room for HISTS_VALUE bytes */
	void (*section)(struct run *r, const struct hist_group *g, struct hist_section *section,
			char *value);
	/* the sum of `totals` is divided by this before it is shown, ns to us; 0: 1 */
	uint32_t divisor;
};
/*
 * Prints a histogram of a group; section: NULL: there is one group only. If run_is_exact(), with
 * the sum of its values and in the unit that is for them; otherwise with `totals`, which may be
 * NULL.
 */
void hists_output(struct run *r, const struct hists_shown *s, const struct hist_section *section,
		  const struct hist_group *g, const struct hist_totals *totals);
/* For interval_end(): takes the map and prints. Returns -1 and sets err on failure. */
int hists_show(struct run *r, const struct hists_shown *s, struct error *err);

#endif
