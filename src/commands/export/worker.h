/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXPORT_WORKER_H
#define SONDE_EXPORT_WORKER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A process that is started again when it ends: after a second, then after twice that each time. */
struct worker {
	pid_t pid;			/* 0: it does not run */
	int64_t began, again;		/* CLOCK_MONOTONIC, ms */
	int wait_ms;
	int status;			/* as of wait(2), of the last one */
	bool told;			/* why it ended was said: it ends so each time */
};

/* Forks. Returns true in the new process; here the worker runs then, or is tried again later. */
bool worker_start(struct worker *w, int64_t now);
/* It has ended with this status: says so on stderr, once if it ends in the same way each time. */
void worker_ended(struct worker *w, const char *name, int status);

#endif
