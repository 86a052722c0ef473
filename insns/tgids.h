/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_INSNS_TGIDS_H
#define SONDE_INSNS_TGIDS_H

#include <linux/sched.h>

#include "insns/common.h"

/*
 * The processes of threads that are not current. The map has only threads whose id differs from
 * their process's. tgids_fill() fills it from /proc at the start (src/toolkit/tgids.h).
 */
#define TGIDS_MAP	{ "tgids", MAP_HASH, ROLE_TABLE, 4, 4, 65536 }

/*
 * The program on task.new. PID and TGID, u32s of the frame, become those of the new task; REG, r6
 * to r9, is clobbered.
 */
#define NOTE_NEW_TASK(REG, PID, TGID) \
	FIELD(REG, "clone_flags"), \
	SET_FIELD(PID, "pid"), \
	BPF_ALU64_IMM(BPF_AND, REG, CLONE_THREAD), \
	JEQ(REG, 0, ".process"), \
	SET_FIELD(TGID, "tgid"), \
	STORE("tgids", PID, TGID),		/* tgids[pid] = its process */ \
	JUMP(".noted"), \
	LABEL(".process"), \
	DELETE("tgids", PID),			/* a thread that executed a file had its id */ \
	LABEL(".noted")

#endif
