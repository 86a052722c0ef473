/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_TREE_TEXT_H
#define SONDE_BT_TREE_TEXT_H

#include <stdio.h>

#include "src/bt/bt.h"

/* Write the actions as they were read; as they are bound, with the types of values. */
void bt_print_read(FILE *to, const struct bt *b);
void bt_print_bound(FILE *to, const struct bt *b);

#endif
