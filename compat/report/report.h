/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_REPORT_H
#define SONDE_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "compat/kernel/kernel.h"

/*
 * Prints what a kernel has: every feature with its answer and reason, BPF's program types, maps and
 * helpers, and the settings and capabilities that matter to them. On the running kernel all of it
 * is tried thoroughly.
 *
 * `more` (may be NULL) prints what follows: lines of text, or in JSON more members of the one
 * object, each with a comma before it. 0, or -1 if the output failed.
 */
int features_print(struct kernel *k, bool json, FILE *out, void (*more)(void *arg, FILE *out),
		   void *arg);

/* The settings that allow or restrict tracing, by number; NULL behind the last. */
const char *setting_name(unsigned int i);
/* "not there" if the kernel has no such setting. */
const char *setting_value(struct kernel *k, unsigned int i, char *value, size_t size);

/* The report's part about members of structs: the offset of each, and how it is known. */
void offsets_print(struct kernel *k, bool json, FILE *out);

#endif
