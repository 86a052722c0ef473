// SPDX-License-Identifier: GPL-2.0
/* swap.read:	reads[task]++ */
#include "insns/programs/swapin.h"

#include <stddef.h>

#include "insns/hist.h"

static const struct map maps[] = {
	{ "reads", MAP_HASH, ROLE_RESULT, sizeof(struct swapin_key), 8, 20480,
	  .key = &swapin_key_layout },
	{ }
};

struct frame {
	struct swapin_key key;
};

enum { TASK = R6, TGID = R6 };

static const struct insn on_read[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	BPF_ALU64_IMM(BPF_RSH, RENAME(TGID, TASK), 32),
	SET(key.tgid, TGID),
	SET_BYTES(key.comm, "comm"),
	SET_EPOCH(key.epoch),
	COUNT("reads", key),
	EXIT,
};

static const struct program programs[] = { PROGRAM("swap.read", on_read), { } };

const struct program_set swapin_programs = { programs, maps };
