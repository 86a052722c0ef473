/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_RUN_H
#define SONDE_BT_RUN_H

#include "src/bt/show.h"
#include "src/tool.h"

/* A script that runs: orders of programs (orders.c), and events of sonde's own (own.c). */
struct bt_run {
	struct bt *bt;
	struct run *run;
	bool over;			/* exit() was carried out */
	uint64_t failures;		/* values of own events that could not be computed */
	uint64_t full;			/* entries of own events without room in their map */
};

/* Carries out the order of a record. */
void bt_order_record(struct bt_run *r, const struct record *record);
/* Carries out an order given at the engine's time `time`. */
void bt_order_run(struct bt_run *r, const struct bt_order *o, uint64_t time,
		  const struct bt_shown *values);
/* Prints all maps, by name. */
void bt_orders_end(struct bt_run *r);

/* Runs the actions of all probes of this kind. */
void bt_own_run(struct bt_run *r, enum bt_when when);
/* Runs the intervals that are due. Returns when the next one is; INT64_MAX: there are none. */
int64_t bt_own_due(struct bt_run *r, int64_t now);

#endif
