/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_KEPT_H
#define SONDE_BPF_KEPT_H

#include <stdint.h>

/*
 * BPF programs at tracepoints that others remove. Before 4.14 a tracepoint takes one program. If a
 * process closes any perf event of the tracepoint (as perf record does at its end), the kernel
 * removes the program, though another event attached it. Some older stable kernels are fixed. The
 * kernel reports nothing.
 */
struct bpf_kept {
	unsigned int n;
	struct kept_program {
		int event, program;	/* file descriptors; the caller closes them */
	} *list;
	uint64_t looked;		/* ns: when all programs were last seen attached */
	uint64_t removed;		/* ns in which a program may have been missing */
};

/* Adds a program. Returns -1 and sets errno to ENOMEM if there is no memory. */
int bpf_kept_add(struct bpf_kept *k, int event, int program);
/* Attaches removed programs again; later removals are counted in `removed`. */
void bpf_kept_start(struct bpf_kept *k);
/* The same; to be called often, because events in between are missed. */
void bpf_kept_look(struct bpf_kept *k);
void bpf_kept_free(struct bpf_kept *k);

#endif
