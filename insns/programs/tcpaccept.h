/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TCPACCEPT_H
#define SONDE_TCPACCEPT_H

#include "insns/tcp.h"

struct tcpaccept_record {
	uint64_t time;
	uint64_t pid_tgid;
	char comm[16];
	struct tcp_ends ends;
};

extern const struct program_set tcpaccept_programs;

#endif
