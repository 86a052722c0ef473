/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_SLOTS_H
#define SONDE_BT_SLOTS_H

#include "src/bt/bt.h"

/*
 * Entries of a map in slots of an array (struct bt_map, slots). The key is on the stack at `key`,
 * and all statements work on the hash where the kernel has no compare and exchange.
 */

/* The register = the value, 0: none; with `is_there` only whether there is an entry. */
void bt_slots_read(struct code *c, const struct bt_map *m, int key, int reg, bool is_there);
/* map[key] = r6; the hash gets a copy of it from the room for a cell on the stack. Clobbers r7. */
void bt_slots_store(struct code *c, const struct bt_map *m, int key, int cell);
/*
 * map[key]++ of a result whose counts sonde takes, and goes to the label .end. What follows is for
 * keys without slots. Clobbers r7.
 */
void bt_slots_count(struct code *c, const struct bt_map *m, int key);
/*
 * The same for a key that is a number of the script, before it is on the stack. Returns false for
 * another key: then nothing is added.
 */
bool bt_slots_count_known(struct code *c, const struct bt_map *m, const struct node *keys);
/* Deletes the entry. The register = whether there was one. */
void bt_slots_delete(struct code *c, const struct bt_map *m, int key, int reg);

/* stack[cell] = { r6, 1 } */
void bt_emit_cell(struct code *c, int cell);

#endif
