/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OOMKILL_H
#define SONDE_OOMKILL_H

#include <stdint.h>

#include "insns/program.h"

#define OOM_UNKNOWN UINT64_MAX

struct oomkill_record {
	uint64_t time;
	uint64_t pid_tgid;		/* who asked for memory */
	uint64_t pages;			/* OOM_UNKNOWN: not known */
	uint32_t victim;
	uint32_t pad;
	char comm[16];
	char name[16];			/* the victim's; empty: the kernel did not tell */
};

extern const struct program_set oomkill_programs;

#endif
