/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_THREADS_H
#define SONDE_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Calls `each` for every thread in /proc, with its process. `threads` is the open directory
 * /proc/TGID/task. Ids are those of sonde's pid namespace. Returns 0, or -errno: threads that could
 * not be listed are missing.
 */
int each_task(void (*each)(void *arg, uint32_t tid, uint32_t tgid, int threads), void *arg);

/* Returns true if the process has a thread that has not ended and is not about to. */
bool process_goes_on(uint32_t tgid);

#endif
