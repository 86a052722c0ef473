/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BIOSNOOP_H
#define SONDE_BIOSNOOP_H

#include <stdint.h>

#include "insns/program.h"

/* Of a time that is not known, and of a pid_tgid. */
#define BIO_UNKNOWN UINT64_MAX

struct biosnoop_record {
	uint64_t time;
	uint64_t pid_tgid;
	uint64_t sector;
	uint64_t bytes;
	uint64_t latency;	/* ns */
	uint64_t queued;	/* ns, before it was issued */
	char rwbs[8];		/* what stands behind its NUL means nothing */
	char comm[16];
	uint32_t dev;
	uint32_t operation;	/* R, W, D, F: a letter of rwbs */
};

/* Key of "sums", and what is summed. */
struct biotop_key {
	uint32_t epoch;
	uint32_t dev;
	uint32_t pid;
	uint32_t operation;
	char comm[16];
};

struct biotop_sums {
	uint64_t requests;
	uint64_t bytes;
	uint64_t timed;		/* requests whose latency is known */
	uint64_t latency;	/* ns, of those */
};

extern const struct program_set biosnoop_programs;
extern const struct program_set biotop_programs;

#endif
