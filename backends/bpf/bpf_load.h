/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_LOAD_H
#define SONDE_BPF_LOAD_H

#include "backends/backend.h"
#include "compat/base/bpf.h"

/* The programs of a plan, in the kernel: those of the same code and type are loaded once. */
struct bpf_programs {
	unsigned int n;
	int *fds;		/* of the loaded programs */
	int *of_program;	/* of the plan's programs: index into fds */
};

struct bpf_loading {
	struct kernel *kernel;
	const struct plan *plan;
	const int *maps;	/* file descriptors of the plan's maps */
	struct memlock *memlock;
	FILE *verbose;
};

int bpf_programs_load(struct bpf_programs *p, const struct bpf_loading *l, struct error *err);
void bpf_programs_unload(struct bpf_programs *p);
/* The file descriptor of the program that an attachment has. */
int bpf_program_of(const struct bpf_programs *p, const struct plan *plan,
		   const struct attachment *a);
/* Adds how often the kernel ran no program; false: it does not tell. */
bool bpf_programs_missed(const struct bpf_programs *p, struct kernel *k, uint64_t *missed);

/*
 * Copies lowered code to `out` (code->n instructions), and replaces the numbers of maps by their
 * file descriptors. -1 if it names a map that there is not.
 */
int bpf_patch(struct bpf_insn *out, const struct lowered *code, const int *maps,
	      unsigned int n_maps, struct error *err);

/* The line of a verifier's log that says what is wrong, and its length; NULL: there is none. */
const char *bpf_log_essence(const char *log, int *length);

#endif
