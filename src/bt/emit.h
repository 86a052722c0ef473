/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_EMIT_H
#define SONDE_BT_EMIT_H

#include "src/bt/bt.h"

/* Adds a probe's statements; a script_probe's `body`, with the struct bt_probe. */
void bt_emit(struct code *c, void *probe);
/* Adds what is before the predicate; a script_probe's `begin`. */
void bt_emit_begin(struct code *c, int bottom, void *probe);
/* stack[off] = the stack; clobbers the register of the depth. */
void bt_emit_stack(struct code *c, const struct bt_shape *shape, int off, int depth);
/* The instructions of bt_map_read, as code_value_at(). */
void bt_emit_read(struct code *c, const struct node *n, int depth, const char *fault);

#endif
