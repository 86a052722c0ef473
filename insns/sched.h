/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SCHED_H
#define SONDE_SCHED_H

#include "insns/hist.h"

/* What the programs on sched:sched_switch share. */

/*
 * prev_state of a task's last switch: zombie, dead, and how kernels before 4.14 say dead, which
 * later ones say of parked.
 */
#define SCHED_DYING 0x70

#endif
