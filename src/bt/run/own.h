/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_OWN_H
#define SONDE_BT_OWN_H

#include "src/bt/parse.h"
#include "src/bt/run/items.h"
#include "src/bt/run/run.h"

/* An action that sonde runs itself: statements (own.c) of values (own_values.c). */
struct own {
	struct bt_run *r;
	const struct bt_probe *p;
	uint64_t now;
	uint8_t stack[FRAME_BYTES];	/* variables, where a program has them */
	char comm[BT_COMM];
	bool left;			/* return or exit() */
	enum bt_kind jump;		/* BT_BREAK or BT_CONTINUE; BT_IF: none */
	uint64_t turns;			/* of all its loops */
	int signals;			/* that had come when it began */
	uint64_t end;			/* of its loops, ns; 0: no signal has come since */
	const struct bt_item *item;	/* of an iterator */
};

/* An entry of a map of values. */
struct bt_entry {
	struct bt_cell cell;
	char text[BT_TEXT_MOST];
};

/* Computes a number. Returns false if it can't. */
bool bt_own_value(struct own *o, const struct node *n, uint64_t *to);
/* The same; a number that can't be computed is 0, and counted. */
uint64_t bt_own_number(struct own *o, const struct node *n);
/* `to`: `size` bytes, with zeros behind the text. */
void bt_own_text(struct own *o, const struct node *n, char *to, unsigned int size);
/* The key of a map; it has room for bt_whole_key_size(). */
void bt_own_key(struct own *o, const struct bt_map *m, const struct node *keys, uint8_t *key);
/* Reads what n, which reads a map, asks for. Returns true if there is such an entry. */
bool bt_own_read_map(struct own *o, const struct node *n, struct bt_entry *to);
void bt_own_remove(struct own *o, const struct bt_map *m, const struct node *keys);
/* Runs a list of statements. */
void bt_own_statements(struct own *o, const struct bt_statement *s);

#endif
