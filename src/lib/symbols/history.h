/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HISTORY_H
#define SONDE_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Which process had what mapped where, and when: the history that events tell, in the order of
 * their times. A process id means another process, or another program, at another time: each has a
 * *life* of its own, which begins with a fork or an exec.
 *
 * Memory is bounded: of lives that ended those are given up that ended first. What is not known any
 * more is not found.
 */
struct history;

struct mapping {
	uint64_t start, end;		/* addresses */
	uint64_t offset;		/* of start, in the file */
	uint64_t since;			/* 0: it was there before the history began */
	uint32_t file;			/* the caller's number of what is mapped; 0: nothing */
};

struct history_life {			/* which life of a process it is */
	uint32_t pid;
	uint64_t from;			/* 0: it was there before the history began */
};

struct history_losses {
	uint64_t lives;			/* given up: too many had ended */
	uint64_t mappings;		/* of processes that mapped too much */
};

struct history *history_new(void);	/* NULL: no memory */
void history_free(struct history *h);

/* The mapping takes the place of what was there. */
void history_map(struct history *h, uint32_t pid, uint64_t time, uint64_t start, uint64_t end,
		 uint64_t offset, uint32_t file);
/* The child begins with all that its parent has mapped. */
void history_fork(struct history *h, uint32_t parent, uint32_t child, uint64_t time);
/* The process has nothing mapped any more but what events tell from now on. */
void history_exec(struct history *h, uint32_t pid, uint64_t time);
void history_exit(struct history *h, uint32_t pid, uint64_t time);

/*
 * What a process has mapped at `time`, by /proc: all of it is handed over before the next call of
 * another function. It is taken for what was there before the history began. False: it is known
 * already what the process has mapped.
 */
bool history_seed(struct history *h, uint32_t pid, uint64_t time);
void history_seed_mapping(struct history *h, uint32_t pid, uint64_t start, uint64_t end,
			  uint64_t offset, uint32_t file);

/*
 * What was mapped at the address then, valid until the history changes; NULL: nothing, or it is not
 * known. `life` may be NULL.
 */
const struct mapping *history_find(const struct history *h, uint32_t pid, uint64_t time,
				   uint64_t address, struct history_life *life);

/*
 * Since when the address has been what it was then, in the same life; 0: always, or it is not
 * known.
 */
uint64_t history_since(const struct history *h, uint32_t pid, uint64_t time, uint64_t address);
/* It is known that until then the process had no code there, in the life that it had then. */
bool history_empty(const struct history *h, uint32_t pid, uint64_t time, uint64_t address);

/* Nobody will ask for a time before this one. */
void history_forget(struct history *h, uint64_t before);
struct history_losses history_losses(const struct history *h);

#endif
