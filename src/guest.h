/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_GUEST_H
#define SONDE_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/base/error.h"

struct output_end;
struct plan_request;
struct run;

/*
 * A listener to a run that is no tool: the stacks, the heat map, the flame graph. The run calls all
 * of its guests, and knows none by name. Each function may be NULL. A guest has a state if the user
 * asked for it; without a state only request(), open() and attach() are called. Functions that
 * return an int return 0, or -1 with err set.
 */
struct guest {
	/* Adds its own demands to those of the tool's plan, for each engine that is tried. */
	void (*request)(const struct run *r, struct plan_request *request);
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
	/* Puts its losses into the end object of the output. */
	void (*losses)(const struct run *r, struct output_end *end);
	/* The last of all: says on standard error what was lost of it. */
	void (*report)(struct run *r);
	void (*free)(void *state);
};

#define GUESTS_MOST 8

/* The guests of a run. Its maker sets the list; the states are those of the guests' own. */
struct guests {
	/* in the order in which they are called; ends with NULL; NULL: there are none */
	const struct guest *const *list;
	void *states[GUESTS_MOST];
};

/* The state of a guest in this run; NULL: it does not listen. */
void *run_guest(const struct run *r, const struct guest *g);

/* Each calls that function of all guests (struct guest says when). An error ends it. */
void guests_request(const struct run *r, struct plan_request *request);
int guests_open(struct run *r, struct error *err);
int guests_attach(struct run *r, struct error *err);
int64_t guests_every(const struct run *r, int64_t ns);
void guests_begin(struct run *r);
int guests_poll(struct run *r, struct error *err);
int guests_interval(struct run *r, struct error *err);
int guests_renew(struct run *r, bool taken, struct error *err);
/* All are called, also after an error. */
int guests_end(struct run *r, struct error *err);
void guests_losses(const struct run *r, struct output_end *end);
void guests_report(struct run *r);
void guests_free(struct guests *g);

#endif
