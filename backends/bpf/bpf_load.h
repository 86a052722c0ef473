/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_LOAD_H
#define SONDE_BPF_LOAD_H

#include "backends/backend.h"
#include "compat/base/bpf.h"

/* The programs of a plan in the kernel: programs of the same code and type are loaded once. */
struct bpf_programs {
	unsigned int n;
	int *fds;		/* of the loaded programs */
	bool *counts;		/* for each: the kernel counts its skipped runs if it skips any */
	int *of_program;	/* for each program of the plan: index into fds */
};

struct bpf_loading {
	struct kernel *kernel;
	const struct plan *plan;
	const int *maps;	/* file descriptors of the plan's maps */
	struct memlock *memlock;
	FILE *verbose;
};

/* Loads all programs. Returns -1 and sets err on failure. */
int bpf_programs_load(struct bpf_programs *p, const struct bpf_loading *l, struct error *err);
void bpf_programs_unload(struct bpf_programs *p);
/* The file descriptor of an attachment's program. */
int bpf_program_of(const struct bpf_programs *p, const struct plan *plan,
		   const struct attachment *a);
/* Adds how often the kernel skipped a program. Returns false if it does not count that. */
bool bpf_programs_missed(const struct bpf_programs *p, struct kernel *k, uint64_t *missed);

/*
 * Copies lowered code to `out` (code->n instructions), and replaces the numbers of maps by their
 * file descriptors. Returns -1 and sets err if the code has a wrong number.
 */
int bpf_patch(struct bpf_insn *out, const struct lowered *code, const int *maps,
	      unsigned int n_maps, struct error *err);

/* The line of a verifier's log with the reason, and its length. Returns NULL if there is none. */
const char *bpf_log_essence(const char *log, int *length);

#endif
