/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_GETHOSTLATENCY_H
#define SONDE_GETHOSTLATENCY_H

#include <stdint.h>

#include "insns/path.h"
#include "insns/program.h"

struct gethostlatency_record {
	uint64_t time;
	uint64_t pid_tgid;
	uint64_t ns;		/* from the call to its answer */
	uint64_t call;		/* which function, as the hook table counts them */
	char comm[16];
	struct path_name host;
};

extern const struct program_set gethostlatency_programs;

#endif
