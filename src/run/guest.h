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
 * A listener to a run beside the tool: the stacks, the heat map, the flame graph. The run calls all
 * its guests by this table. Each function may be NULL. A guest has a state if the user's options
 * need it; without a state only request(), open() and attach() are called. Functions that return an
 * int return 0, or -1 with err set.
 */
struct guest {
	/* adds demands to the tool's plan; called for each engine that is tried */
	void (*request)(const struct run *r, struct plan_request *request);
	/* makes the state; options and programs are known, there is no engine yet */
	int (*open)(struct run *r, void **state, struct error *err);
	/* makes the state; the engine is open and has not started */
	int (*attach)(struct run *r, void **state, struct error *err);
	/* the interval in ns that the run needs, if it would be `ns` without this guest; 0: none */
	int64_t (*every)(const struct run *r, int64_t ns);
	/* the output is open, and events are traced from now on */
	void (*begin)(struct run *r);
	/* called at least ten times a second */
	int (*poll)(struct run *r, struct error *err);
	/* an interval has ended, and the tool has printed its results */
	int (*interval)(struct run *r, struct error *err);
	/*
	 * called now and then, and with `taken` after results were taken: may drop unused entries
	 */
	int (*renew)(struct run *r, bool taken, struct error *err);
	/* called after the last interval */
	int (*end)(struct run *r, struct error *err);
	/* adds the guest's losses to the output's end object */
	void (*losses)(const struct run *r, struct output_end *end);
	/* called last: prints on stderr what the guest lost */
	void (*report)(struct run *r);
	void (*free)(void *state);
};

#define GUESTS_MOST 8

/* The guests of a run: session.c sets the list, and each guest makes its state. */
struct guests {
	/* in the order of calls; ends with NULL; NULL: there are none */
	const struct guest *const *list;
	void *states[GUESTS_MOST];
};

/* The state of a guest in this run. Returns NULL if it has none. */
void *run_guest(const struct run *r, const struct guest *g);

/* Each calls the function of that name (struct guest) of all guests; the first error ends it. */
void guests_request(const struct run *r, struct plan_request *request);
int guests_open(struct run *r, struct error *err);
int guests_attach(struct run *r, struct error *err);
int64_t guests_every(const struct run *r, int64_t ns);
void guests_begin(struct run *r);
int guests_poll(struct run *r, struct error *err);
int guests_interval(struct run *r, struct error *err);
int guests_renew(struct run *r, bool taken, struct error *err);
/* Calls all guests, even after an error; returns the first error. */
int guests_end(struct run *r, struct error *err);
void guests_losses(const struct run *r, struct output_end *end);
void guests_report(struct run *r);
void guests_free(struct guests *g);

#endif
