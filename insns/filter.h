/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FILTER_H
#define SONDE_FILTER_H

#include "compat/kernel/kernel.h"
#include "compat/events/event.h"
#include "insns/program.h"

/*
 * Filters by task. A row is an option whose values are ids: a task is wanted if an identity of the
 * task (compat/resolve/identity.h) is one of the ids. FILTER in a program tests each row that the
 * user asked for; a task passes if it passes all of them. The rows are in src/filters.c.
 */
enum filter_test {
	FILTER_ID,	/* the identity is one of the ids: one is compared, several are looked up */
	FILTER_LISTED,	/* the identity is a key of the map, whose entries come and go */
};

struct filter_row {
	const char *option;	/* "pid" */
	const char *input;	/* the name of the identity */
	enum filter_test test;
	/*
	 * A map of the ids. `entries`: of FILTER_LISTED; 0: a program set of the plan has the map.
	 */
	const char *map;
	uint16_t key_size;
	uint32_t entries;
	bool of_pids;		/* the ids are those of processes or threads */
};

/* A row with what the user asked for. */
struct asked_filter {
	const struct filter_row *row;
	const uint64_t *ids;
	unsigned int n;
};

#define FILTERS 16		/* rows at most */

/* Which tasks the user asked for; without any row all. */
struct filter {
	/* sonde's own tgid in the initial pid namespace, which is not wanted; 0: not known */
	uint32_t self;
	unsigned int n;
	struct asked_filter asked[FILTERS];
	/* the ids of --pid once more, for engines that can have events of these alone */
	const uint32_t *processes;
	unsigned int n_processes;
};

/* What was asked for by an option; NULL: nothing. */
const struct asked_filter *filter_asked(const struct filter *f, const char *option);
/* Did the user name processes? Then sonde's own is wanted if it is one of them. */
bool filter_of_processes(const struct filter *f);
/*
 * Does FILTER let a task of these ids pass? Returns false also where a row asks for more than
 * these ids: for a user, who may change, or a command's family, which is made later.
 */
bool filter_passes(const struct filter *f, uint32_t tid, uint32_t tgid);
/* Has the plan a map of its own for this row, which is to be filled with the ids? */
bool filter_has_map(const struct asked_filter *a);

#endif
