/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TASK_STAT_H
#define SONDE_TASK_STAT_H

#include <stdbool.h>
#include <stdint.h>

/* The file `stat` of a process or a thread in /proc; proc(5) has the fields' numbers. */
struct task_stat {
	char text[1024];
	/* the third field, the letter of its state; the name before it may have any bytes */
	const char *state;
};

/* Reads a stat file below the directory `dir`, or AT_FDCWD. Returns false if it can't be read. */
bool task_stat_read(int dir, const char *path, struct task_stat *s);
/*
 * The number in a field, from the fourth on. Returns false if it is missing, or larger than `most`.
 */
bool task_stat_number(const struct task_stat *s, unsigned int field, uint64_t most,
		      uint64_t *number);
/*
 * Returns true if the task has not ended. An ended task stays until its parent has waited for it.
 */
bool task_lives(int dir, const char *path);

#endif
