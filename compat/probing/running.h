/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RUNNING_H
#define SONDE_RUNNING_H

#include "compat/kernel/kernel.h"

/* The running kernel. Returns NULL if there is no memory; whatever the kernel lacks is no error. */
struct kernel *kernel_running(void);

#endif
