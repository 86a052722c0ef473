/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SYMBOL_LOAD_H
#define SONDE_SYMBOL_LOAD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "compat/base/error.h"
#include "src/lib/symbols/readers/table.h"

/*
 * A function that reads a file and adds its symbols, in a process of its own. Returns -1 and sets
 * err if the file could not be read to its end.
 */
typedef int (*load_fn)(struct table_maker *m, const void *arg, struct error *err);

/*
 * Runs `make` in a process with limited memory and takes its table; *stop ends it. `why` gets what
 * could not be read, or no text. `fd`: the file that `make` reads, or -1; the process has no other
 * one. Returns false if there is no table.
 */
bool load_table(load_fn make, const void *arg, int fd, const volatile sig_atomic_t *stop,
		struct table *table, struct error *why);

/* ---- functions for load_table() ---- */

/* Reads an ELF file; arg is a struct elf_source. */
int load_elf(struct table_maker *m, const void *arg, struct error *err);

/*
 * Reads /tmp/perf-PID.map, in which a JIT compiler lists its code: lines "START SIZE NAME", numbers
 * in hexadecimal. Places are addresses. A line replaces earlier lines that it overlaps, because
 * their code is gone. arg is an int, the file.
 */
int load_perf_map(struct table_maker *m, const void *arg, struct error *err);

/*
 * Reads the vDSO, the code that the kernel puts into every process; arg is a struct vdso_source. It
 * is the same for all programs of one word size: sonde's own is used, or that of a process.
 */
struct vdso_source {
	pid_t pid;			/* 0: sonde's own */
	unsigned long long start, size;	/* addresses in the process */
};
int load_vdso(struct table_maker *m, const void *arg, struct error *err);

#endif
