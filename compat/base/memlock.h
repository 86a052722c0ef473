/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MEMLOCK_H
#define SONDE_MEMLOCK_H

#include <stdbool.h>
#include <sys/resource.h>

/*
 * Up to Linux 5.10 the memory of BPF maps and programs counts against RLIMIT_MEMLOCK, and the
 * kernel says EPERM when that is used up. Only then is the limit raised. It is restored later: a
 * command that sonde starts must not inherit it.
 */
struct memlock {
	bool raised;
	struct rlimit before;
};

/* Raises it as far as it goes, once. Returns whether it is higher now. */
bool memlock_raise(struct memlock *m);
void memlock_restore(struct memlock *m);

#endif
