/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TCPCONNECT_H
#define SONDE_TCPCONNECT_H

#include <stdint.h>

#include "insns/program.h"

#define TCPCONNECT_PORTS 1024	/* that can be asked for */

struct tcpconnect_record {
	uint64_t time;
	uint64_t pid_tgid;
	uint32_t uid;
	uint16_t lport;		/* 0: not known yet, or not told by this kernel */
	uint16_t dport;
	uint64_t family;
	uint8_t saddr[16];
	uint8_t daddr[16];
	char comm[16];
};

/* Key of "connects", which counts instead of printing each. */
struct tcpconnect_key {
	uint32_t epoch;
	uint16_t family;
	uint16_t dport;
	uint8_t saddr[16];
	uint8_t daddr[16];
};

extern const struct program_set tcpconnect_programs;

#endif
