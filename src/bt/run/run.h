/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_RUN_H
#define SONDE_BT_RUN_H

#include "src/bt/show/exports.h"
#include "src/bt/show/show.h"
#include "src/lib/symbols/pool.h"
#include "src/run/tool.h"

/* A script that runs: orders of programs (orders.c), and events of sonde's own (own.c). */
struct bt_run {
	struct bt *bt;
	struct run *run;
	bool over;			/* exit() was carried out */
	uint64_t failures;		/* values of own events that could not be computed */
	uint64_t endless;		/* actions of own events with too many turns of loops */
	uint64_t late;			/* turns of intervals that were left out */
	uint64_t unread;		/* tasks that an iterator could not read */
	uint64_t full;			/* entries of own events without room in their map */
	struct pool stacks;		/* texts of stacks */
	struct bt_own *own;		/* programs of own events (own.c) */
	struct bt_join *joins;		/* begun (outside.c) */
	struct bt_text line;		/* of the order that is carried out */
	struct bt_exports *exports;	/* of `sonde export`: nothing is printed; or NULL */
};

/* Memory ran out: the run ends. */
void bt_no_memory(struct bt_run *r);
/*
 * Takes what the engine has of the map. Values are looked at, and stay there. Returns -1 if the run
 * has failed.
 */
int bt_take(struct bt_run *r, const struct bt_map *m);
/*
 * As run_take(), run_get() and run_set(), of a map that has slots or none (slots.c). Only entries
 * of maps without slots are set while programs run.
 */
int bt_slots_take(struct bt_run *r, const struct bt_map *m, entry_fn entry, void *arg,
		  struct error *err);
int bt_slots_get(const struct bt_run *r, const struct bt_map *m, const void *key, void *entry);
int bt_slots_set(const struct bt_run *r, const struct bt_map *m, const void *key,
		 const void *entry, struct error *err);
/* Sonde has made or deleted entries of the engine's map: programs may ask for its length. */
void bt_length_changes(struct bt_run *r, const struct bt_map *m, int by);
/* ---- exported.c ---- */

/* Begins to export maps, if the run is exported. Returns -1 and sets err if there is nothing to. */
int bt_exported_open(struct bt_run *r, struct error *err);
/* Adds what came to the maps. */
void bt_exported_add(struct bt_run *r);

/* Carries out the order of a record. */
void bt_order_record(struct bt_run *r, const struct record *record);
/* Carries out an order given at the engine's time `time` by thread `tid`. */
void bt_order_run(struct bt_run *r, const struct bt_order *o, uint64_t time, uint32_t tid,
		  const struct bt_shown *values);
/* Carries out the orders of outside.c, those of thread `tid`. */
void bt_outside(struct bt_run *r, const struct bt_order *o, const struct bt_shown *values,
		uint32_t tid);
void bt_joins_free(struct bt_run *r);
/* Prints all maps, by name. */
void bt_orders_end(struct bt_run *r);

/* The text of a stack in a record. s NULL: the run has failed. */
struct text bt_stack_text(struct bt_run *r, const struct bt_order *o, const struct bt_shape *shape,
			  const void *value, uint64_t time);
/*
 * Makes texts of the stacks in the keys of the table's rows from number `from` on, which were taken
 * at `now`. Returns -1 if the run has failed.
 */
int bt_stacks_taken(struct bt_run *r, const struct bt_map *m, size_t from, uint64_t now);

/* Loads the programs of own events. Returns -1 and sets err; bt_own_free() in either case. */
int bt_own_open(struct bt_run *r, struct error *err);
void bt_own_free(struct bt_run *r);
/* Runs the actions of all probes of this kind. */
void bt_own_run(struct bt_run *r, enum bt_when when);
/*
 * Runs the actions of iterators, for each item; those of the kernel's when the engine has started.
 * Returns -1 and sets err on failure.
 */
int bt_own_walk(struct bt_run *r, struct error *err);
/* Runs a loop of a probe, which the event at `time` ordered. */
void bt_own_loop(struct bt_run *r, const struct bt_statement *s, uint64_t time);
/* Keeps signals for probes of them, from now on. */
void bt_own_signals(const struct bt_run *r);
/*
 * Runs the intervals that are due, and the probes of signals that have come. Returns when to call
 * it again; INT64_MAX: never.
 */
int64_t bt_own_due(struct bt_run *r, int64_t now);

#endif
