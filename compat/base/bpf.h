/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_H
#define SONDE_BPF_H

#include <bpf/bpf.h>
#include <stdbool.h>
#include <stdint.h>

#include "compat/base/memlock.h"

/*
 * bpf(2) by libbpf's wrappers, all of which return a file descriptor, 0 or -errno. Callers use the
 * wrappers directly, except for the two calls here: they make something, and may need a higher
 * RLIMIT_MEMLOCK.
 *
 * The wrappers pass the whole union bpf_attr. Every kernel takes one that is longer than its own if
 * the rest is 0 (E2BIG otherwise), so members that are not set do no harm on older kernels.
 */

struct bpf_map_shape {
	enum bpf_map_type type;
	uint32_t key_size, value_size, entries, flags;
	const char *name;	/* any text; NULL: none, for kernels before 4.15 */
};

int bpf_map_make(const struct bpf_map_shape *shape, struct memlock *m);

/*
 * How many values the kernel copies for an entry of a per-CPU array that nothing has changed yet:
 * one for each possible CPU, which /sys would tell too where it is mounted. value_size: in bytes, a
 * multiple of 8. 0: it can't be read (errno).
 */
unsigned int bpf_values_count(int map, uint32_t value_size);

struct bpf_code {
	enum bpf_prog_type type;
	uint32_t attach_type;	/* BPF_ATTACH_*; 0: none */
	const struct bpf_insn *insns;
	uint32_t n;
	uint32_t kern_version;	/* must be the kernel's for kprobes up to 4.19 */
	const char *name;	/* as that of a map */
	char *log;		/* NULL: no verifier log */
	uint32_t log_size;
};

int bpf_code_load(const struct bpf_code *code, struct memlock *m);

/* How programs of links are attached: numbers of the kernel, which older headers lack. */
#define BPF_ATTACH_KPROBES 42
#define BPF_ATTACH_UPROBES 48

/* Functions of the kernel, by their addresses, or of a file, by offsets. */
struct bpf_functions {
	const char *file;		/* NULL: of the kernel */
	const uint64_t *addresses;
	const uint64_t *cookies;	/* of each; what get_attach_cookie returns */
	uint32_t n;
	bool returns;			/* when they return */
	uint32_t process;		/* of a file: only in this one; 0: in all */
};
/* An address that nobody can read. */
#define BPF_UNREADABLE ((void *)1)

/* Runs the program on them until the link is closed. */
int bpf_link_functions(int program, const struct bpf_functions *f);

/*
 * Adds how many hits a link on functions of the kernel missed. -1: it can't be asked; before 6.7
 * the kernel does not tell, and does not say so.
 */
int bpf_link_missed(int link, uint64_t *missed);

/* Makes a name of kernel objects out of text: 15 characters, of letters, digits and underlines. */
void bpf_kernel_name(char name[BPF_OBJ_NAME_LEN], const char *text);

#endif
