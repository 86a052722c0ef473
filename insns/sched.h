/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SCHED_H
#define SONDE_SCHED_H

#include "insns/hist.h"

/* For programs on sched:sched_switch. */

/*
 * Bits of prev_state at a task's last switch: zombie, or dead. SCHED_PARKED is one of them: it
 * means dead before 4.14, and parked on later kernels.
 */
#define SCHED_DYING 0x70
#define SCHED_PARKED 0x40
/* the bits that report sleeping states since 4.14; older kernels have more */
#define SCHED_REPORTED 0xff

/* REG = prev_state; clobbers R1. Some kernels have states one bit too high (switch-states). */
#define PREV_STATE(REG) \
	FIELD(REG, "prev_state"), \
	CONST(R1, "states_shifted"), \
	BPF_ALU64_REG(BPF_RSH, REG, R1)

#endif
