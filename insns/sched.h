/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SCHED_H
#define SONDE_SCHED_H

#include "insns/common.h"

/* What the programs on sched:sched_switch share. */

/* prev_state of a task's last switch: zombie, dead, and how kernels before 4.14 say dead, which later ones say of parked. */
#define SCHED_DYING 0x70

/* value (r6 to r9), in ns, becomes what the user asked for. */
#define IN_UNIT(REG) \
	UNLESS("milliseconds", ".usecs"), \
	BPF_ALU64_IMM(BPF_DIV, REG, 1000000), \
	JUMP(".unit"), \
	LABEL(".usecs"), \
	BPF_ALU64_IMM(BPF_DIV, REG, 1000), \
	LABEL(".unit")

#endif
