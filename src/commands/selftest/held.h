/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SELFTEST_HELD_H
#define SONDE_SELFTEST_HELD_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A lock of the kernel that is held for a known time: a process writes to a pipe or file from
 * memory that is not there yet, and holds the pipe's mutex or the file's rwsem until another
 * process provides the memory (userfaultfd).
 */
struct held {
	int fd;			/* the pipe's writing end, or a file */
	int drain;		/* the pipe's reading end; -1: fd is a file */
	int go, holds;		/* ends of pipes to and from the holder */
};

/*
 * Makes the processes. Returns -1 and sets errno if this kernel or machine can't. The time counts
 * from when this process waits.
 */
int held_start(struct held *h, int fd, int drain, int64_t ms);
/* Waits for the lock once. Returns how long that was, ns, -1 on failure. */
int64_t held_wait(struct held *h);

#endif
