/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SEMAPHORES_H
#define SONDE_SEMAPHORES_H

#include "backends/backend.h"

/*
 * A statically defined probe (USDT) may have a semaphore: a 2-byte number of tracers in the
 * program's memory. The program computes arguments only if it is not 0. Since 4.20 the kernel
 * increments it for a uprobe. On older kernels another process does so, the keeper, which ps(1)
 * shows as sonde-usdt. It increments the number in all processes that have mapped the program (or
 * those of -p), looks for new ones each second, and decrements it as soon as sonde ends, for any
 * reason; also in forked children of those processes.
 */
struct semaphores;

/*
 * Starts the keeper for an attached plan. *s is for semaphores_lower(); NULL: the plan needs none.
 * `verbose` may be NULL. Returns -1 and sets err on failure.
 */
int semaphores_raise(const struct kernel *k, const struct plan *plan, FILE *verbose,
		     struct semaphores **s, struct error *err);
/* Returns true if the keeper has not looked at all processes yet. s NULL: false. */
bool semaphores_late(const struct semaphores *s);
/* Ends the keeper. Returns when it has ended, or after some seconds: it then ends later. */
void semaphores_lower(struct semaphores *s);

#endif
