/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_GRAPH_H
#define SONDE_GRAPH_H

#include "src/run.h"

/*
 * --flame: all stacks of a run as a flame graph in a file, which is written when the run ends. A
 * file that can't be written is an error before the engine is opened.
 */
extern const struct guest graph_guest;

/* Stacks that are shown. Nothing is done without the option. -1 and err: out of memory. */
int graph_add(struct run *r, const struct stack_shown *shown, struct error *err);

#endif
