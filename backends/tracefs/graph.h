/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TRACEFS_GRAPH_H
#define SONDE_TRACEFS_GRAPH_H

#include "backends/tracefs/tracefs.h"
#include "compat/kinds/many.h"

/*
 * The function graph tracer. Which functions it begins with is one list for the whole machine, and
 * before 6.11, and on some machines later, only the main ring takes its records. So sonde changes
 * settings that others may use. It does so only if they are not used, and puts them back.
 *
 * As long as settings are changed there is an instance with the name GRAPH_MARK, and its owner
 * locks it. Whoever finds it unlocked puts them back: a sweep (sweep.c).
 */
#define GRAPH_MARK "sonde-funcgraph"

/* Returns true if the ring of an instance takes its records. */
bool graph_in_instance(const char *instance);
/*
 * Makes the mark. Returns NULL and sets err if somebody else uses what would be changed. `shared`:
 * also the main ring's settings.
 */
struct instance *graph_mark(struct kernel *k, bool shared, struct error *err);
/*
 * Sets the functions to begin with, and the tracer of the ring at `path`. Returns -1 and sets err
 * on failure. *refused: functions that the tracer does not see, if there are others.
 */
int graph_set(struct kernel *k, const char *path, const struct many *functions,
	      unsigned int *refused, struct error *err);
/* Puts the settings back, if that was not done yet. `mark` is the instance's path. */
void graph_undo(const char *tracefs, const char *mark);

#endif
