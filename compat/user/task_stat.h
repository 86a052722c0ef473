/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TASK_STAT_H
#define SONDE_TASK_STAT_H

#include <stdbool.h>
#include <stdint.h>

/* A process or a thread, as /proc shows it in its file `stat`; proc(5) has the fields' numbers. */
struct task_stat {
	char text[1024];
	/* the third field: the letter of its state. Its name is before that, and may be anything */
	const char *state;
};

/* Reads a stat file below the directory `dir`, or any with AT_FDCWD. False: it can't be read. */
bool task_stat_read(int dir, const char *path, struct task_stat *s);
/* The number in a field, from the fourth on. False: it is not there, or larger than `most`. */
bool task_stat_number(const struct task_stat *s, unsigned int field, uint64_t most,
		      uint64_t *number);
/* Has the task not ended? One that has stays there until its parent has asked for its status. */
bool task_lives(int dir, const char *path);

#endif
