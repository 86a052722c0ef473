/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_EMIT_OWN_H
#define SONDE_BT_EMIT_OWN_H

#include "src/bt/bt.h"

/*
 * Programs of events that are sonde's own: BEGIN, END, intervals, signals, items of /proc, and
 * loops through maps that probes order. They are the same statements as those of other probes, and
 * sonde's machine runs them (run/own.c). Maps of the script are maps of its host there, with the
 * whole key and these values.
 */

/*
 * A look-up finds a struct bt_cell, with the text behind it, in all kinds of maps. Of values an
 * update sets one, or adds the value of one that is not `present`.
 */
struct bt_entry {
	struct bt_cell cell;
	char text[BT_TEXT_MOST];
};

/* What an update adds to a result. */
struct bt_given {
	u64 value, present;
	u64 epoch, time;		/* BT_SERIES */
};

/* Maps of sonde's own beside those of the script, which follow them in their order. */
enum bt_own_map { BT_OWN_EVENTS, BT_OWN_FAILURES, BT_OWN_ROWS, BT_OWN_LENGTHS, BT_OWN_MEMBERS,
		  BT_OWN_MAPS };

/*
 * BT_OWN_ROWS: the next row of a loop; none: it ends. `begins`: the loop begins, with the rows that
 * the map has then.
 */
struct bt_rows_key {
	uint32_t map, loop;
	u64 begins;
};
struct bt_own_row {
	uint8_t key[FRAME_BYTES];
	char value[BT_TEXT_MOST];	/* a number, a text, or the parts of a tuple */
};
/* BT_OWN_LENGTHS: the number of entries, by the map's number. BT_OWN_MEMBERS: by their row. */
struct bt_own_key {
	u64 number;
};

/* A program of own events: the probe's action, or a loop of the probe. */
struct bt_action {
	const struct bt_probe *probe;
	const struct bt_statement *loop;	/* NULL: the whole action */
	struct code code;
};

/* The map's row for the host of the machine. */
struct map bt_own_map(const struct bt *b, unsigned int number);

/* Statements and values that differ from those of other probes. */
void bt_own_add(struct code *c, const struct bt_statement *s);
void bt_own_aggregate(struct code *c, const struct bt_statement *s);
void bt_own_length(struct code *c, const struct node *n, int depth, const char *fault);
/* Begins to go through the map: `key` has room for a struct bt_rows_key. */
void bt_own_rows_begin(struct code *c, const struct bt_statement *s, int key);
/* The next row goes to the variables of the loop; without one goto end. */
void bt_own_rows_next(struct code *c, const struct bt_statement *s, int key, const char *end);

#endif
