/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DRSNOOP_H
#define SONDE_DRSNOOP_H

#include <stdint.h>

#include "insns/program.h"

struct drsnoop_record {
	uint64_t time;
	uint64_t latency;	/* ns */
	uint64_t pid_tgid;
	uint64_t pages;
	uint64_t uid;
	char comm[16];
};

extern const struct program_set drsnoop_programs;

#endif
