/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DETACH_H
#define SONDE_DETACH_H

#include "compat/kernel/kernel.h"

/*
 * To remove what was made in the kernel, one waits for all CPUs, once or twice for each event: tens
 * of milliseconds each, a second on a slow machine. Nobody should wait for that at the end, so
 * another process does it: the detacher, which ps(1) shows as sonde-detach. It holds what it
 * removes (file descriptors, locks) and nothing else of the process that started it: no file, no
 * terminal, no folder. Only SIGKILL ends it early. Then the kernel closes what it held, and the
 * next sonde sweeps what has a name in tracefs. Until it ends it shares the lock of tracefs' own
 * directory.
 */

/*
 * Calls end(arg, true) in a detacher and end(arg, false) here. Both close all that arg has, and
 * free its memory. Only the detacher removes what would stay otherwise; it begins when the call
 * here has returned. `named`: there are such things, with names in tracefs. Returns when the
 * detacher has ended, or after a moment.
 *
 * Sometimes there can be no detacher: no process or memory is left for it, or it may end with this
 * process, as in containers. Then end(arg, true) is called here, however long it takes. What else
 * is open here with FD_CLOEXEC stays open in the detacher: nobody should wait for its end.
 */
void detach(struct kernel *k, void (*end)(void *arg, bool remove), void *arg, bool named);

/* Waits until no detacher of any sonde is left, so many ms, or for a signal; false: one is left. */
bool detach_wait(struct kernel *k, int timeout_ms);

#endif
