/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_JIT_H
#define SONDE_JIT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "compat/base/lines.h"
#include "src/lib/symbols/history.h"

/*
 * Names of code that processes made themselves: /tmp/perf-PID.map in the root of the process, where
 * JIT compilers write it, with the process's id in its own pid namespace. It has to be the
 * process's: anybody may put a file there, and one that was written last before the process began
 * is of an earlier process with this id. It is held open from when the process's code was first
 * seen, and read again when it has grown.
 */
struct jits;

struct jits *jits_new(const volatile sig_atomic_t *stop);
void jits_free(struct jits *j);

/* The process has mapped memory with code in it. It is looked at by jits_open(). */
void jits_see(struct jits *j, const struct history_life *life);
void jits_open(struct jits *j);

/* The name is valid until the next call. */
bool jits_find(struct jits *j, const struct history_life *life, uint64_t address,
	       const char **name, uint64_t *offset, struct lines *lacks);

#endif
