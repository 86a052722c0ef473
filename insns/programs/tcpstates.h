/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TCPSTATES_H
#define SONDE_TCPSTATES_H

#include "insns/tcp.h"

struct tcpstates_record {
	uint64_t time;
	uint64_t since;		/* when the old state began; 0: nobody saw it */
	uint64_t sk;
	uint64_t oldstate, newstate;
	uint64_t own;		/* the current task does it itself */
	uint64_t pid_tgid;
	char comm[16];
	struct tcp_ends ends;
};

extern const struct program_set tcpstates_programs;

#endif
