/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_REPORT_H
#define SONDE_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "compat/base/jsonw.h"
#include "compat/kernel/kernel.h"

/*
 * Prints what a kernel has: every feature with its answer and reason, BPF's program types, maps and
 * helpers, and the settings and capabilities that affect them. On the running kernel everything is
 * tried thoroughly.
 *
 * more() (may be NULL) prints what follows: lines of text, or if `json` is not NULL more members of
 * the one object. Returns -1 if the output failed.
 */
int features_print(struct kernel *k, bool json, FILE *out,
		   void (*more)(void *arg, FILE *out, struct jsonw *json), void *arg);

/* Settings that allow or restrict tracing, by number. Returns NULL behind the last. */
const char *setting_name(unsigned int i);
/* The value, in `value`; "not there" if the kernel has no such setting. */
const char *setting_value(struct kernel *k, unsigned int i, char *value, size_t size);

/* Print members of structs: the offset of each, and where it is from. */
void offsets_print(struct kernel *k, FILE *out);
void offsets_json(struct kernel *k, struct jsonw *w);

#endif
