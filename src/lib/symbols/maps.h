/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SYMBOL_MAPS_H
#define SONDE_SYMBOL_MAPS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/base/lines.h"
#include "src/lib/symbols/files.h"

/*
 * What processes have mapped now, by /proc/PID/maps. A process that holds the lock of its mappings
 * holds who reads that file, so it is read by a process of its own (compat/user/guard.h).
 */
struct maps_line {			/* code that is mapped */
	uint32_t pid;
	uint64_t start, end, offset;
	struct file_key key;
	char path[];			/* "": anonymous memory */
};

typedef void (*maps_fn)(void *arg, const struct maps_line *line);

/*
 * Each line of code of these processes, in order; pids NULL: of all. What could not be read is said
 * in `lacks`.
 */
void maps_read(const uint32_t *pids, size_t n, const volatile sig_atomic_t *stop, maps_fn each,
	       void *arg, struct lines *lacks);

/* A line of that file; false: it is none of code. For who reads one. */
bool maps_parse(char *line, struct maps_line *m, const char **path);

#endif
