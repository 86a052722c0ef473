/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_REPORT_H
#define SONDE_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "compat/kernel/kernel.h"

/*
 * Prints what a kernel has: every feature with its answer and reason, BPF's program types, maps and
 * helpers, and the settings and capabilities that decide over them. The running kernel's are tried
 * thoroughly.
 *
 * `more` (NULL: none) prints what follows: lines of text, or in JSON further members of the one
 * object, each with a comma before it. 0, or -1 if the output failed.
 */
int features_print(struct kernel *k, bool json, FILE *out, void (*more)(void *arg, FILE *out),
		   void *arg);

/*
 * The settings that decide over tracing, by number; NULL behind the last. A value is "not there"
 * where none is.
 */
const char *setting_name(unsigned int i);
const char *setting_value(struct kernel *k, unsigned int i, char *value, size_t size);

/*
 * The part of the report about members of structs: where each is on this kernel, and how that is
 * known.
 */
void offsets_print(struct kernel *k, bool json, FILE *out);

#endif
