/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXPORTS_H
#define SONDE_EXPORTS_H

#include "src/run/run.h"

/*
 * --pprof, --speedscope, --perf-script: all stacks of a run in files of other programs, which are
 * written when the run ends. If a file can't be written, that is an error before the engine is
 * opened.
 */
extern const struct run_listener exports_listener;

/* Returns true if one of the options is given. */
bool exports_asked(const struct options *o);

/*
 * Adds a shown stack; does nothing without the options. Returns -1 and sets err if there is no
 * memory.
 */
int exports_add(struct run *r, const struct stack_shown *shown, struct error *err);

#endif
