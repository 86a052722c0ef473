/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SYMBOL_MAPS_H
#define SONDE_SYMBOL_MAPS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/lib/symbols/lacks.h"
#include "src/lib/symbols/files.h"

/*
 * What processes have mapped now, by /proc/PID/maps. If a process holds the lock of its mappings, a
 * read of that file blocks. So a process of its own reads it (compat/user/guard.h).
 */
struct maps_line {			/* a mapping with code */
	uint32_t pid;
	uint64_t start, end, offset;
	struct file_key key;
	char path[];			/* "": anonymous memory */
};

typedef void (*maps_fn)(void *arg, const struct maps_line *line);

/*
 * Calls `each` for each mapping with code of these processes, in order; pids NULL: of all
 * processes. `lacks` gets a line for each process that could not be read.
 */
void maps_read(const uint32_t *pids, size_t n, const volatile sig_atomic_t *stop, maps_fn each,
	       void *arg, struct lacks *lacks);

/* Parses a line of /proc/PID/maps; *path points into it. Returns false if it is not code. */
bool maps_parse(char *line, struct maps_line *m, const char **path);

#endif
