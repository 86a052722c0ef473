/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DETACH_H
#define SONDE_DETACH_H

#include "compat/kernel/kernel.h"

struct holder;

#define DETACHER_NAME "sonde-detach"

/*
 * To remove what was made in the kernel, one waits for all CPUs, once or twice for each event: tens
 * of milliseconds each, a second on a slow machine. Nobody should wait for that at the end, so
 * another process does it: the detacher, which ps(1) shows as sonde-detach. It holds what it
 * closes (file descriptors, locks) and nothing else of the process that started it: no file, no
 * terminal, no folder. Then it sweeps what has a name in tracefs, its own and what others have
 * left: one detacher at a time, and those that find another one at it end. Only SIGKILL ends it
 * early. Then the kernel closes what it held, and the next sonde sweeps. Until it ends it shares
 * the lock of tracefs' own directory. On some kernels another one waits from the beginning, if
 * there are uprobes (holder.h).
 */

/*
 * Calls end(arg) here, and then in a detacher. Both close all that arg has, and free its memory;
 * the last one to close waits for the kernel. `named`: arg has things with names in tracefs, which
 * the detacher sweeps then; `h`: what holds the files of uprobes among them, or NULL, is freed.
 * Returns when the detacher has ended, or after a moment.
 *
 * Sometimes there can be no detacher: no process or memory is left for it, or it may end with this
 * process, as in containers. Then all that is done here, however long it takes. What else is open
 * here with FD_CLOEXEC stays open in the detacher until arg's things are closed.
 */
void detach(struct kernel *k, void (*end)(void *arg), void *arg, bool named, struct holder *h);

/* Waits until no detacher of any sonde is left, so many ms, or for a signal; false: one is left. */
bool detach_wait(struct kernel *k, int timeout_ms);

/* ---- what all detachers do ---- */

/* This process goes on alone, with the file descriptors that are kept. */
void detacher_begin(bool (*kept)(void *arg, int fd), void *arg);
/* Shares the lock of tracefs' directory. */
int detacher_lock(struct kernel *k);

#endif
