/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SYMBOL_LOAD_H
#define SONDE_SYMBOL_LOAD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "compat/base/error.h"
#include "src/lib/symbols/readers/table.h"

/* What reads a file, in a process of its own. -1 and err: it could not be read to its end. */
typedef int (*load_fn)(struct table_maker *m, const void *arg, struct error *err);

/*
 * Has a table made by a process that may be ended and has a limited amount of memory. `why`: what
 * could not be read; "": all was. False: there is no table.
 */
bool load_table(load_fn make, const void *arg, const volatile sig_atomic_t *stop,
		struct table *table, char why[TABLE_WHY]);

/* ---- what can be loaded ---- */

/* An ELF file: arg is a struct elf_source. */
int load_elf(struct table_maker *m, const void *arg, struct error *err);

/*
 * What a JIT compiler says of its code in /tmp/perf-PID.map: lines "START SIZE NAME", numbers in
 * hexadecimal; places are addresses. A line takes the place of those before it that it overlaps:
 * their code is gone. arg is an int, the file.
 */
int load_perf_map(struct table_maker *m, const void *arg, struct error *err);

/*
 * The code that the kernel puts into every process. It is the same for all programs of one word
 * size: sonde's own, or read from the process.
 */
struct vdso_source {
	pid_t pid;			/* 0: sonde's own */
	unsigned long long start, size;	/* where it is there */
};
int load_vdso(struct table_maker *m, const void *arg, struct error *err);

#endif
