/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CAPABLE_H
#define SONDE_CAPABLE_H

#include <stdint.h>

#include "insns/program.h"

#define CAPABLE_UNKNOWN 2		/* of audit and insetid: the kernel does not tell */

struct capable_record {
	uint64_t time;
	uint64_t pid_tgid;
	uint32_t uid;
	int32_t cap;
	uint32_t audit;
	uint32_t insetid;
	char comm[16];
};

extern const struct program_set capable_programs;

#endif
