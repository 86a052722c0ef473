/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_GUARD_H
#define SONDE_GUARD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Work on files of others, in a process of its own: a file on a server that does not answer, or on
 * a program's own file system, can hold its reader for as long as it likes. That process can be
 * killed, and sonde goes on. The process gets no more than GUARD_MEMORY.
 */
struct guarded {
	/* in the process: hands over what it finds by guard_send(to, ...) */
	void (*work)(void *arg, int to);
	/* in sonde; fd: -1, or a file, which it has to close */
	void (*take)(void *arg, const void *message, size_t size, int fd);
	void *arg;
	const volatile sig_atomic_t *stop;		/* ends it; may be NULL */
	/* the process hangs if it says nothing for so long, unless it waits for a CPU */
	int ms;
};

enum guard_end { GUARD_DONE, GUARD_HANGS, GUARD_STOPPED, GUARD_FAILED };

/* GUARD_FAILED: no process could be made, errno says why; or it ended before its work did. */
enum guard_end guard_run(const struct guarded *g);

#define GUARD_MESSAGE 16384	/* bytes at most */
#define GUARD_MEMORY (512UL << 20)	/* bytes of addresses */

/* fd: -1, or a file to hand over. False if sonde does not listen any more. */
bool guard_send(int to, const void *message, size_t size, int fd);

#endif
