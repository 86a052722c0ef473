/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ARCH_ROWS_H
#define SONDE_ARCH_ROWS_H

#include <linux/audit.h>	/* and EM_... */

#include "compat/arch/arch.h"
#include "compat/kernel/kernel.h"

/* What rows of machines are written with. */

#define V(major, minor) ((major) << 16 | (minor) << 8)

/* The row of compat/arch/NAME.c. */
#define ARCH(NAME)	const struct arch arch_##NAME

#endif
