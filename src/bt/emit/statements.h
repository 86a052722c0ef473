/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_EMIT_STATEMENTS_H
#define SONDE_BT_EMIT_STATEMENTS_H

#include "src/bt/bt.h"

/* Statements that have others in them. */

/* The loop around a statement whose turn is made, and whether break and continue are used in it. */
struct bt_loop {
	const char *end, *next;
	bool broke, went_on;
};

/* Adds the statements. Returns true if the program never gets behind them. */
bool bt_emit_statements(struct code *c, const struct bt_statement *s, struct bt_loop *l);

/* Add a loop. They return the same. */
bool bt_emit_unroll(struct code *c, const struct bt_statement *s, struct bt_loop *l);
bool bt_emit_while(struct code *c, const struct bt_statement *s, struct bt_loop *l);
bool bt_emit_for(struct code *c, const struct bt_statement *s, struct bt_loop *l);
bool bt_emit_each(struct code *c, const struct bt_statement *s, struct bt_loop *l);
/* The same for break and continue. */
bool bt_emit_jump(struct code *c, const struct bt_statement *s, struct bt_loop *l);

#endif
