/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STATSNOOP_H
#define SONDE_STATSNOOP_H

#include <stdint.h>

#include "insns/path.h"
#include "insns/program.h"

struct statsnoop_record {
	uint64_t time;
	uint64_t pid_tgid;
	int32_t ret;
	uint32_t pad;
	char comm[16];
	struct path_name name;
};

extern const struct program_set statsnoop_programs;

#endif
