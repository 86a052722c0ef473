/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DETACH_H
#define SONDE_DETACH_H

#include "compat/kernel/kernel.h"

/*
 * Taking away what was made in the kernel waits for all CPUs, for each event once or twice: tens of
 * milliseconds each, a second on a slow machine. Nobody who ends should wait for that, so a process
 * of its own does it: the detacher, which ps(1) shows as sonde-detach. It holds what it takes away
 * (file descriptors, locks) and nothing else of who started it: no file, no terminal, no folder.
 * Only SIGKILL ends it early; then the kernel closes what it held, and the next sonde sweeps what
 * has a name in tracefs. Until it ends it shares the lock of tracefs' own directory.
 */

/*
 * Calls end(arg, true) in a detacher and end(arg, false) here: both close all that arg has and free
 * its memory; only the former removes what would outlive that, and it begins when the latter has
 * returned. Returns when the detacher has ended, or after a moment. `named`: there is such a thing.
 * Where there can be no detacher (no process or memory for it, or the end of this process may be
 * its end, as in containers), end(arg, true) is called here, however long it takes. What else is
 * open here with FD_CLOEXEC stays open in the detacher: nobody should wait for its end.
 */
void detach(struct kernel *k, void (*end)(void *arg, bool remove), void *arg, bool named);

/*
 * Waits until no detacher of any sonde is left, up to so many ms or a signal; false: there still is
 * one.
 */
bool detach_wait(struct kernel *k, int timeout_ms);

#endif
