/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_PREAMBLE_H
#define SONDE_BT_PREAMBLE_H

#include "src/bt/bt.h"

/*
 * What is around the probes of a script. Each function reads its part of b->source.text and
 * leaves blanks there, so that all else keeps its place. They return -1 and set err on failure.
 */

/*
 * C declarations and directives, which come before all else: they become the script's types.
 * Macros that are numbers, and enumerators, are names of expressions then.
 */
int bt_declarations(struct bt *b, struct error *err);

#endif
