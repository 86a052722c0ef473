/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KILLSNOOP_H
#define SONDE_KILLSNOOP_H

#include <stdint.h>

#include "insns/program.h"

/* As the hook table numbers them. */
enum kill_call { CALL_KILL, CALL_TKILL, CALL_TGKILL };

struct killsnoop_record {
	uint64_t time;
	uint64_t pid_tgid;
	int32_t tpid;
	int32_t sig;
	uint32_t call;
	int32_t ret;
	char comm[16];
};

extern const struct program_set killsnoop_programs;

#endif
