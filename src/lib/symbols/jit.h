/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_JIT_H
#define SONDE_JIT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/lib/symbols/lacks.h"
#include "src/lib/symbols/history.h"

/*
 * Names of code that processes generated. JIT compilers write them to /tmp/perf-PID.map, in the
 * root of the process, with the process's id in its own pid namespace. Anybody may put a file
 * there, so the file must belong to the process. A file written last before the process began is of
 * an earlier process with this id, and not used. The file is held open from when code of the
 * process was first seen, and read again when it has grown.
 */
struct jits;

/* *stop ends the reading of files. Returns NULL if there is no memory. */
struct jits *jits_new(const volatile sig_atomic_t *stop);
void jits_free(struct jits *j);

/* The process has mapped memory with generated code: the next jits_open() opens its file. */
void jits_see(struct jits *j, const struct history_life *life);
void jits_open(struct jits *j);

/*
 * Finds the function at an address. The name is valid until the next call. `lacks` gets a line if
 * the file could not be read. Returns false if there is no name.
 */
bool jits_find(struct jits *j, const struct history_life *life, uint64_t address,
	       const char **name, uint64_t *offset, struct lacks *lacks);

#endif
