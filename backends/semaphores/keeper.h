/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KEEPER_H
#define SONDE_KEEPER_H

#include <stdbool.h>
#include <stdint.h>

/* The process that writes semaphores of probes (semaphores.h). */
#define KEEPER_WANTED 64

struct binary;

struct wanted {
	const struct binary *binary;
	uint64_t position;		/* in the file */
	uint64_t ino;
	uint32_t major, minor;
};

/* A number in a process's memory that we have added to, or its parent before it was forked. */
struct raised {
	uint32_t pid;
	unsigned int wanted;
	uint16_t number;		/* when it was looked at last */
	bool seen;			/* in this round */
};

struct keeper {
	struct wanted wanted[KEEPER_WANTED];
	unsigned int n_wanted;
	const uint32_t *processes;	/* only these; none: all */
	unsigned int n_processes;
	int round_ms;			/* from one look to the next */
	struct raised *raised;
	unsigned int n_raised, refused;
	bool ended;			/* of `processes`: one that was raised */
	bool lowers;			/* it takes back what it added */
};

struct keeper_said {
	uint32_t raised, refused;
};

/*
 * Raises, says so once through `ready`, looks for new processes each round, and lowers when the
 * other end of `alive` is closed. Closes `ready` only.
 */
void keeper_run(struct keeper *k, int alive, int ready);

/* A line of /proc/PID/maps; for tests. */
struct data_mapping {
	uint64_t from, to, offset, ino;
	uint32_t major, minor;
};
/* True if it is memory that a process writes for itself, of a file. */
bool keeper_mapping(const char *line, struct data_mapping *m);

#endif
