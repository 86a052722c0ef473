/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DETACH_H
#define SONDE_DETACH_H

#include <sys/types.h>

#include "compat/kernel/kernel.h"

struct holder;

#define DETACHER_NAME "sonde-detach"

/*
 * To remove things from the kernel, a process waits for all CPUs, once or twice for each event:
 * tens of milliseconds each, a second on a slow machine. So that users need not wait, another
 * process does it: the detacher, which ps(1) shows as sonde-detach. Of the process that started it,
 * it has only the file descriptors and locks that it closes: no other file, no terminal, no folder.
 * Then it sweeps what has a name in tracefs, its own things and those of ended sondes. One detacher
 * sweeps at a time; others end if they find it working. Only SIGKILL ends it early: then the kernel
 * closes its files, and the next sonde sweeps. It shares the lock of tracefs' own directory until
 * it ends. On some kernels, if there are uprobes, another detacher waits from the beginning
 * (holder.h).
 */

/*
 * Calls end(arg) here, and then in a detacher. Both close all that arg has, and free its memory;
 * the last one to close waits for the kernel. `named`: arg has things with names in tracefs, which
 * the detacher sweeps. `h`: the holder of the files of uprobes among them, or NULL; it is freed.
 * Returns when the detacher has ended, or after a moment.
 *
 * If there can be no detacher, everything is done here, however long it takes: there may be no
 * process or memory left, or the detacher might end with this process, as in containers. Other
 * files that are open here with FD_CLOEXEC stay open in the detacher until arg's things are closed.
 */
void detach(struct kernel *k, void (*end)(void *arg), void *arg, bool named, struct holder *h);

/* Has a detacher sweep what ended sondes left, if there can be one. */
void detach_sweep(struct kernel *k);

/*
 * Waits until no detacher of any sonde is left, for timeout_ms at most, or until a signal. Returns
 * false if one is left.
 */
bool detach_wait(struct kernel *k, int timeout_ms);

/* ---- for all detachers ---- */

/* Makes this process independent, with only the file descriptors for which kept() returns true. */
void detacher_begin(bool (*kept)(void *arg, int fd), void *arg);
/*
 * Waits until all other processes have closed the other end of a pipe, until this process has
 * another parent than `parent`, or for most_ms.
 */
void detacher_wait(int fd, pid_t parent, int most_ms);
/* Shares the lock of tracefs' directory. Returns its file descriptor, or -1. */
int detacher_lock(struct kernel *k);

#endif
