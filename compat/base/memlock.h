/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MEMLOCK_H
#define SONDE_MEMLOCK_H

#include <stdbool.h>
#include <sys/resource.h>

/*
 * Up to Linux 5.10 the memory of BPF maps and programs counts against RLIMIT_MEMLOCK, and the
 * kernel returns EPERM when the limit is reached. Only then is the limit raised. It is restored
 * later, because a command that sonde starts must not inherit it.
 */
struct memlock {
	bool raised;
	struct rlimit before;
};

/* Raises the limit as far as possible, once. Returns true if it is higher now. */
bool memlock_raise(struct memlock *m);
void memlock_restore(struct memlock *m);

#endif
