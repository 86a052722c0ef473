/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_INSNS_KEPT_H
#define SONDE_INSNS_KEPT_H

#include "insns/hist.h"

/*
 * Threads call again and again. So a map of calls keeps its first MOST entries when the calls
 * return, which costs half as much as making new ones; other entries are deleted. kept[0] is the
 * number of kept entries; calls that begin at the same time may be missing in it. INDEX is a u32 of
 * the frame. The macros clobber r0 to r5.
 */
#define KEPT_MAP	{ "kept", MAP_ARRAY, ROLE_TABLE, 4, 8, 1 }

/* An entry is made. */
#define KEEP_ONE_MORE(INDEX)	COUNT_INDEX("kept", INDEX, 0)

/* A call ends. If its entry is kept, goto KEPT; else it is to be deleted. */
#define KEEP_OR_DELETE(INDEX, MOST, KEPT) \
	SET_IMM(INDEX, 0), \
	LOOKUP_OR("kept", INDEX, KEPT), \
	BPF_LDX_MEM(BPF_DW, R1, R0, 0), \
	JLE(R1, MOST, KEPT), \
	BPF_MOV64_IMM(R1, -1), \
	BPF_STX_XADD(BPF_DW, R0, R1, 0)

#endif
