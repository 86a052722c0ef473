/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_GRAPH_H
#define SONDE_GRAPH_H

#include "src/run.h"

/*
 * --flame: all stacks of a run as a flame graph in a file, which is written when the run ends. All
 * of these do nothing without the option.
 */

/* Before the engine is opened. -1 and err: the file can't be written. */
int graph_open(struct run *r, struct error *err);
/* Stacks that are shown; -1: out of memory. */
int graph_add(struct run *r, const struct stack_shown *shown, struct error *err);
/* -1 and err: the file could not be written. */
int graph_end(struct run *r, struct error *err);
void graph_free(struct run *r);

#endif
