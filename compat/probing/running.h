/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RUNNING_H
#define SONDE_RUNNING_H

#include "compat/kernel/kernel.h"

/* The running kernel; NULL: out of memory. What it lacks is no error here. */
struct kernel *kernel_running(void);

#endif
