/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_GUEST_H
#define SONDE_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/base/error.h"

struct run;

/*
 * Who listens to a run and is no tool: the stacks, the heat map, the flame graph. The run calls all
 * of them, and knows none. Each function may be NULL. A guest that left its state NULL, because
 * nobody asked for it, is not called again. Functions that return an int return 0, or -1 with err
 * set.
 */
struct guest {
	/* Options and programs are known; there is no engine yet. */
	int (*open)(struct run *r, void **state, struct error *err);
	/* The same when the engine is open, and has not started. */
	int (*attach)(struct run *r, void **state, struct error *err);
	/* The run's interval in ns, if it would be `ns` without this guest; 0: none. */
	int64_t (*every)(const struct run *r, int64_t ns);
	/* The output is open, and events are traced from now on. */
	void (*begin)(struct run *r);
	/* Now and then, at least ten times a second. */
	int (*poll)(struct run *r, struct error *err);
	/* An interval has ended, and the tool has output what it has of it. */
	int (*interval)(struct run *r, struct error *err);
	/* Now and then, and, `taken`, when results were: what nobody needs any more may go. */
	int (*renew)(struct run *r, bool taken, struct error *err);
	/* After the last interval. */
	int (*end)(struct run *r, struct error *err);
	/* The last of all: says on standard error what was lost of it. */
	void (*report)(struct run *r);
	void (*free)(void *state);
};

#define GUESTS 4
/* All that there are, in the order in which they are called (src/session/guests.c). */
extern const struct guest *const guests[GUESTS];

/* Its state in this run; NULL: it does not listen. */
void *run_guest(const struct run *r, const struct guest *g);

#endif
