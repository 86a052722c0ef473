/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SEMAPHORES_H
#define SONDE_SEMAPHORES_H

#include "backends/backend.h"

/*
 * A statically defined probe (USDT) may have a semaphore: a number of 2 bytes in the program's
 * memory, of those who trace it. The program computes arguments only if it is not 0. From 4.20 on
 * the kernel adds to it where a uprobe is. Before that another process does, the keeper, which
 * ps(1) shows as sonde-usdt: it writes the number in all processes that have mapped the program (or
 * those of -p), looks for new ones each second, and takes its part back as soon as sonde ends,
 * however that ends; also in what those processes have forked.
 */
struct semaphores;

/*
 * For a plan that is attached. *s: what semaphores_lower() takes; NULL: there is nothing to do.
 * `verbose` may be NULL. -1 and err.
 */
int semaphores_raise(const struct kernel *k, const struct plan *plan, FILE *verbose,
		     struct semaphores **s, struct error *err);
/* The keeper has not looked at all processes yet; NULL: false. */
bool semaphores_late(const struct semaphores *s);
/* Returns when the keeper has ended, or after some seconds: it goes on alone then. */
void semaphores_lower(struct semaphores *s);

#endif
