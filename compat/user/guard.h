/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_GUARD_H
#define SONDE_GUARD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Work on files of others in a process of its own. A file on a server that does not answer, or on a
 * program's own file system, can block its reader for ever. The process can be killed, and sonde
 * goes on. It gets at most GUARD_MEMORY, and may do no more than read (compat/user/confine.h).
 */
struct guarded {
	/* runs in the process; sends its results by guard_send(to, ...) */
	void (*work)(void *arg, int to);
	/* runs in sonde; fd: -1, or a file, which take() must close */
	void (*take)(void *arg, const void *message, size_t size, int fd);
	void *arg;
	bool opens;		/* the work opens files, and does not only read what is open */
	const int *file;	/* the open file that it reads; NULL: none, or several */
	bool (*kept)(const void *arg, int fd);	/* of several files; NULL: there are none */
	const volatile sig_atomic_t *stop;		/* ends the process; may be NULL */
	/* a process that sends nothing for so many ms is blocked, unless it waits for a CPU */
	int ms;
};

enum guard_end { GUARD_DONE, GUARD_HANGS, GUARD_STOPPED, GUARD_FAILED };

/*
 * Runs the work. GUARD_FAILED: no process could be made, or a file that it sent could not be taken
 * (errno says why); or it ended before its work did.
 */
enum guard_end guard_run(const struct guarded *g);

#define GUARD_MESSAGE 16384	/* bytes at most */
#define GUARD_MEMORY (512UL << 20)	/* bytes of addresses */

/*
 * Sends a message; fd: a file to send with it, or -1. Returns false if sonde has stopped listening.
 */
bool guard_send(int to, const void *message, size_t size, int fd);

#endif
