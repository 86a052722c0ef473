/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_THREADS_H
#define SONDE_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Calls `each` for every thread that /proc shows, with its process; `threads` is /proc/TGID/task,
 * opened, which has the thread's directory. Ids are those of sonde's pid namespace.
 */
void each_task(void (*each)(void *arg, uint32_t tid, uint32_t tgid, int threads), void *arg);

/* Has the process a thread that neither has ended nor is about to? */
bool process_goes_on(uint32_t tgid);

#endif
