/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KEEPER_H
#define SONDE_KEEPER_H

#include <stdbool.h>
#include <stdint.h>

/* The process that changes semaphores of probes (semaphores.h). */
#define KEEPER_WANTED 64

struct binary;

struct wanted {
	const struct binary *binary;
	uint64_t position;		/* of the semaphore in the file */
	uint64_t ino;
	uint32_t major, minor;
};

/* A semaphore in a process's memory that the keeper incremented; or a forked copy of one. */
struct raised {
	uint32_t pid;
	unsigned int wanted;
	uint16_t number;		/* its value at the last look */
	bool seen;			/* in this round */
};

struct keeper {
	struct wanted wanted[KEEPER_WANTED];
	unsigned int n_wanted;
	const uint32_t *processes;	/* only these; none: all */
	unsigned int n_processes;
	int round_ms;			/* time from one look to the next */
	struct raised *raised;
	unsigned int n_raised, refused;
	/* a process of `processes` with a raised semaphore has ended */
	bool ended;
	bool lowers;			/* it is decrementing */
};

struct keeper_said {
	uint32_t raised, refused;
};

/*
 * Increments semaphores, reports once through `ready`, looks for new processes in each round, and
 * decrements when the other end of `alive` is closed. Closes only `ready`.
 */
void keeper_run(struct keeper *k, int alive, int ready);

/* A line of /proc/PID/maps; for tests. */
struct data_mapping {
	uint64_t from, to, offset, ino;
	uint32_t major, minor;
};
/* Parses a line. Returns false if it is not private writable memory of a file. */
bool keeper_mapping(const char *line, struct data_mapping *m);

#endif
