/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_KEPT_H
#define SONDE_BPF_KEPT_H

#include <stdint.h>

/*
 * BPF programs at tracepoints, which others take away. Where a tracepoint takes one program, before
 * 4.14 whoever closes a perf event of it (as perf record does at its end) removes the program that
 * another event attached; some stable kernels of before have the fix. Nothing tells.
 */
struct bpf_kept {
	unsigned int n;
	struct kept_program {
		int event, program;	/* file descriptors; the caller closes them */
	} *list;
	uint64_t looked;		/* ns: then all were there */
	uint64_t removed;		/* ns for which some may have been away */
};

/* -1 and errno ENOMEM. */
int bpf_kept_add(struct bpf_kept *k, int event, int program);
/* Puts back what was removed; from now on it is counted in `removed`. */
void bpf_kept_start(struct bpf_kept *k);
/* The same, to be called often: what happens meanwhile is missing. */
void bpf_kept_look(struct bpf_kept *k);
void bpf_kept_free(struct bpf_kept *k);

#endif
