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

/* A task's own state, as typed tracepoints tell it: the same on all kernels that have these. */
#define TASK_DEAD_STATE 0x80
#define TASK_IDLE_STATE 0x402
#define TASK_ZOMBIE_STATE 0x20
#define TASK_PARKED_STATE 0x40
/* TASK_RTLOCK_WAIT, TASK_FROZEN */
#define TASK_DEEP_STATES 0x9000
/* The bits that records have. */
#define TASK_REPORTED 0x7f
/* What records of sched_switch say of ended tasks, idle kernel threads, and other sleepers. */
#define SCHED_DEAD_REPORT 0x10
#define SCHED_IDLE_REPORT 0x80
#define SCHED_SLEEP_REPORT 0x02
/* ... and of a task that was preempted, whatever its state */
#define SCHED_PREEMPTED_REPORT 0x100

/*
 * REG, a task's own state, becomes what a record says: a bit, or 0 for a task that could run on.
 * Clobbers R1.
 */
#define REPORTED_STATE(REG) \
	FIELD(R1, "preempted"), \
	JNE(R1, 0, ".runs"), \
	JEQ(REG, 0, ".told"), \
	JSET(REG, TASK_DEAD_STATE, ".dead"), \
	BPF_MOV64_REG(R1, REG), \
	BPF_ALU64_IMM(BPF_AND, R1, TASK_IDLE_STATE), \
	JEQ(R1, TASK_IDLE_STATE, ".idle"), \
	BPF_ALU64_IMM(BPF_AND, REG, 0x7f), \
	JNE(REG, 0, ".told"), \
	BPF_MOV64_IMM(REG, SCHED_SLEEP_REPORT), \
	JUMP(".told"), \
	LABEL(".dead"), \
	BPF_MOV64_IMM(REG, SCHED_DEAD_REPORT), \
	JUMP(".told"), \
	LABEL(".idle"), \
	BPF_MOV64_IMM(REG, SCHED_IDLE_REPORT), \
	JUMP(".told"), \
	LABEL(".runs"), \
	BPF_MOV64_IMM(REG, 0)

/* REG = prev_state; clobbers R1. Some kernels have states one bit too high (switch-states). */
#define PREV_STATE(REG) \
	FIELD(REG, "prev_state"), \
	JUMP_UNLESS("argument:preempted", ".record"), \
	REPORTED_STATE(REG), \
	JUMP(".told"), \
	LABEL(".record"), \
	CONST(R1, "states_shifted"), \
	BPF_ALU64_REG(BPF_RSH, REG, R1), \
	LABEL(".told")

#endif
