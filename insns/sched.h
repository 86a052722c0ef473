/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SCHED_H
#define SONDE_SCHED_H

#include "insns/hist.h"

/* For programs on sched:sched_switch. */

/*
 * prev_state of a task's last switch: zombie, or dead. One of the bits says dead only before 4.14;
 * on later kernels it says parked.
 */
#define SCHED_DYING 0x70
#define SCHED_PARKED 0x40		/* that one; dead before 4.14 */
/* "sleeping_states" since 4.14; there were more before */
#define SCHED_REPORTED 0xff

/* REG = prev_state; R1 is lost. Some kernels tell states one bit too high (switch-states). */
#define PREV_STATE(REG) \
	FIELD(REG, "prev_state"), \
	CONST(R1, "states_shifted"), \
	BPF_ALU64_REG(BPF_RSH, REG, R1)

#endif
