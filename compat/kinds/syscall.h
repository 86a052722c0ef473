/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KINDS_SYSCALL_H
#define SONDE_KINDS_SYSCALL_H

#include "compat/kernel/kernel.h"

/* Is there a function of this system call? */
bool kernel_has_syscall(struct kernel *k, const char *name);

/* Does this kernel run 32-bit tasks beside 64-bit ones? */
bool kernel_has_compat_tasks(struct kernel *k);

#endif
