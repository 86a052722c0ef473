/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SYNCSNOOP_H
#define SONDE_SYNCSNOOP_H

#include <stdint.h>

#include "insns/program.h"

/* As the hook table numbers them. */
enum sync_call { CALL_SYNC, CALL_SYNCFS, CALL_FSYNC, CALL_FDATASYNC, CALL_MSYNC };

struct syncsnoop_record {
	uint64_t time;		/* when it began */
	uint64_t call;
	uint64_t pid_tgid;
	char comm[16];
};

extern const struct program_set syncsnoop_programs;

#endif
