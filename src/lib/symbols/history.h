/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HISTORY_H
#define SONDE_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What each process had mapped, where and when. Events tell this history in the order of their
 * times. One process id means different processes or programs at different times: each of them is a
 * *life* of its own, which begins with a fork or an exec.
 *
 * Memory is bounded: of the lives that ended, those with the earliest end are dropped first.
 * Searches do not find what was dropped.
 */
struct history;

struct mapping {
	uint64_t start, end;		/* addresses */
	uint64_t offset;		/* of start in the file */
	uint64_t since;			/* when it was mapped; 0: before the history began */
	uint32_t file;			/* the caller's number of the file; 0: nothing is mapped */
};

struct history_life {			/* identifies a life */
	uint32_t pid;
	uint64_t from;			/* when it began; 0: before the history began */
};

struct history_losses {
	uint64_t lives;			/* dropped lives: too many had ended */
	uint64_t mappings;		/* dropped mappings: their process had too many */
};

/* Returns NULL if there is no memory. */
struct history *history_new(void);
void history_free(struct history *h);

/* Adds a mapping; it replaces earlier ones at the same addresses. */
void history_map(struct history *h, uint32_t pid, uint64_t time, uint64_t start, uint64_t end,
		 uint64_t offset, uint32_t file);
/* The child begins with all mappings of its parent. */
void history_fork(struct history *h, uint32_t parent, uint32_t child, uint64_t time);
/* The process loses all its mappings. */
void history_exec(struct history *h, uint32_t pid, uint64_t time);
void history_exit(struct history *h, uint32_t pid, uint64_t time);

/*
 * Begins adding the mappings that a process has at `time` by /proc. The caller adds all of them
 * with history_seed_mapping() before it calls another function. They count as mapped before the
 * history began. Returns false if the mappings of the process are already known.
 */
bool history_seed(struct history *h, uint32_t pid, uint64_t time);
void history_seed_mapping(struct history *h, uint32_t pid, uint64_t start, uint64_t end,
			  uint64_t offset, uint32_t file);

/*
 * The mapping that the address was in at `time`, valid until the history changes. Returns NULL if
 * there was none or none is known. `life` gets the process's life; it may be NULL.
 */
const struct mapping *history_find(const struct history *h, uint32_t pid, uint64_t time,
				   uint64_t address, struct history_life *life);

/*
 * When the mapping that the address was in at `time` was made. 0: before the process's life, or
 * unknown.
 */
uint64_t history_since(const struct history *h, uint32_t pid, uint64_t time, uint64_t address);
/*
 * Returns true if the process surely had no code at the address, from the beginning of its life
 * up to `time`.
 */
bool history_empty(const struct history *h, uint32_t pid, uint64_t time, uint64_t address);

/* No later call asks for a time before this one: drops the lives that ended earlier. */
void history_forget(struct history *h, uint64_t before);
struct history_losses history_losses(const struct history *h);

#endif
