/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_GRAPH_H
#define SONDE_GRAPH_H

#include "src/run/run.h"

/*
 * --flame: all stacks of a run as a flame graph, in a file that is written when the run ends. If
 * the file can't be written, that is an error before the engine is opened.
 */
extern const struct run_listener graph_listener;

/*
 * Adds a shown stack to the graph; does nothing without the option. Returns -1 and sets err if
 * there is no memory.
 */
int graph_add(struct run *r, const struct stack_shown *shown, struct error *err);

#endif
