/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OPENSNOOP_H
#define SONDE_OPENSNOOP_H

#include <stdint.h>

#include "insns/path.h"
#include "insns/program.h"

struct opensnoop_record {
	uint64_t time;
	uint64_t pid_tgid;
	uint64_t flags;
	uint32_t mode;
	int32_t dfd;
	int32_t ret;
	uint32_t uid;
	char comm[16];
	int64_t path_length;	/* with its NUL; negative: not known */
	char path[PATH_READ];
};

extern const struct program_set opensnoop_programs;

#endif
