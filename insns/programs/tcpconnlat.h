/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TCPCONNLAT_H
#define SONDE_TCPCONNLAT_H

#include <stdint.h>

#include "insns/program.h"

/* Value of "begun": who began a connection, and when. */
struct tcpconnlat_begun {
	uint64_t time;
	uint64_t pid_tgid;
	char comm[16];
	uint64_t reset;		/* the answer was a reset */
};

struct tcpconnlat_record {
	uint64_t time;		/* of the answer */
	uint64_t pid_tgid;
	char comm[16];
	uint64_t reset;
	uint64_t nanoseconds;
	uint32_t family;
	uint16_t lport, dport;
	uint8_t saddr[16];
	uint8_t daddr[16];
};

extern const struct program_set tcpconnlat_programs;

#endif
