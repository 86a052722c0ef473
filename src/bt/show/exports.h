/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_EXPORTS_H
#define SONDE_BT_EXPORTS_H

#include "src/bt/show/table.h"
#include "src/lib/metrics/metrics.h"

/*
 * Maps of a script as metrics, for `sonde export`.
 *
 * What is counted, summed up or in a histogram becomes counters. They get each amount as it comes:
 * what the script clears, zeros or deletes afterwards has been counted. Other numbers become
 * gauges, which are what the map has, if nothing takes entries out of it.
 */
struct bt_exports;

/* Finds what each map becomes. `to` stays. Returns NULL if there is no memory. */
struct bt_exports *bt_exports_new(const struct bt *b, struct metrics *to);
void bt_exports_free(struct bt_exports *e);
/* Why the map is no metric; NULL: it is one, or nothing is ever put into it. */
const char *bt_exports_why(const struct bt_exports *e, const struct bt_map *m);
/* Returns true if the map becomes counters, and if it becomes gauges; stats() becomes both. */
bool bt_exports_counts(const struct bt_exports *e, const struct bt_map *m);
bool bt_exports_shows(const struct bt_exports *e, const struct bt_map *m);
/* Adds amounts that came to the map, and were not added before. Of other maps does nothing. */
void bt_exports_add(struct bt_exports *e, const struct bt_map *m, const struct bt_row *rows,
		    size_t n);
/*
 * Sets the map's gauges to what its table has. Returns how many entries had no room among the
 * series, if that is to be told: the first time, and when they are twice as many.
 */
size_t bt_exports_set(struct bt_exports *e, const struct bt_map *m);

/* ---- export_names.c ---- */

/* The label of a part of the map's key: its name in the script, if it is a plain one; or keyN. */
struct bt_label {
	char name[BT_NAME];
};
void bt_export_labels(const struct bt *b, const struct bt_map *m, struct bt_label labels[BT_KEYS]);
/*
 * The name of the map's family. Unless `plain`, the end of the map's name tells the unit of its
 * values: usecs, bytes and so on. `end`: the family has a number of values, and this behind its
 * name; "": it has the values.
 */
struct bt_family_name {
	char name[2 * BT_NAME];
	const char *unit;		/* "seconds", "bytes"; "": none */
	double scale;
};
void bt_export_name(const struct bt_map *m, const char *end, bool plain,
		    struct bt_family_name *to);

#endif
