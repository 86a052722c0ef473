/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RUN_LISTENER_H
#define SONDE_RUN_LISTENER_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/base/error.h"

struct output_end;
struct plan_request;
struct run;

/*
 * A listener to a run beside the tool: the stacks, the heat map, the flame graph. The run calls all
 * its listeners by this table. Each function may be NULL. A listener has a state if the user's
 * options need it; without a state only request(), open() and attach() are called. Functions that
 * return an int return 0, or -1 with err set.
 */
struct run_listener {
	/* adds demands to the tool's plan; called for each engine that is tried */
	void (*request)(const struct run *r, struct plan_request *request);
	/* makes the state; options and programs are known, there is no engine yet */
	int (*open)(struct run *r, void **state, struct error *err);
	/* makes the state; the engine is open and has not started */
	int (*attach)(struct run *r, void **state, struct error *err);
	/*
	 * the interval in ns that the run needs, if it would be `ns` without this listener; 0: none
	 */
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
	/* adds the listener's losses to the output's end object */
	void (*losses)(const struct run *r, struct output_end *end);
	/* called last: prints on stderr what the listener lost */
	void (*report)(struct run *r);
	void (*free)(void *state);
};

#define RUN_LISTENERS_MOST 8

/* The listeners of a run: session.c sets the list, and each listener makes its state. */
struct run_listeners {
	/* in the order of calls; ends with NULL; NULL: there are none */
	const struct run_listener *const *list;
	void *states[RUN_LISTENERS_MOST];
};

/* The state of a listener in this run. Returns NULL if it has none. */
void *run_listener_state(const struct run *r, const struct run_listener *l);

/*
 * Each calls the function of that name (struct run_listener) of all listeners; the first error ends
 * it.
 */
void run_listeners_request(const struct run *r, struct plan_request *request);
int run_listeners_open(struct run *r, struct error *err);
int run_listeners_attach(struct run *r, struct error *err);
int64_t run_listeners_every(const struct run *r, int64_t ns);
void run_listeners_begin(struct run *r);
int run_listeners_poll(struct run *r, struct error *err);
int run_listeners_interval(struct run *r, struct error *err);
int run_listeners_renew(struct run *r, bool taken, struct error *err);
/* Calls all listeners, even after an error; returns the first error. */
int run_listeners_end(struct run *r, struct error *err);
void run_listeners_losses(const struct run *r, struct output_end *end);
void run_listeners_report(struct run *r);
void run_listeners_free(struct run_listeners *l);

#endif
