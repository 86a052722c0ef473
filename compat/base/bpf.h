/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_H
#define SONDE_BPF_H

#include <bpf/bpf.h>
#include <stdbool.h>
#include <stdint.h>

#include "compat/base/memlock.h"

/*
 * bpf(2) by libbpf's wrappers, which return a file descriptor, 0 or -errno. Callers use the
 * wrappers directly, except for maps and programs: to make them may require a higher
 * RLIMIT_MEMLOCK.
 *
 * The wrappers pass the whole union bpf_attr. A kernel accepts a union longer than its own if the
 * rest is 0 (E2BIG otherwise), so unset members do no harm on older kernels.
 */

struct bpf_map_shape {
	enum bpf_map_type type;
	uint32_t key_size, value_size, entries, flags;
	const char *name;	/* any text; NULL: none, for kernels before 4.15 */
};

/* Makes a map. Returns its file descriptor, or -errno. */
int bpf_map_make(const struct bpf_map_shape *shape, struct memlock *m);

/*
 * The number of values that the kernel copies for an entry of a per-CPU array: one for each
 * possible CPU. No value of the map may have been changed yet. (sysfs also tells, but may not be
 * mounted.) value_size: bytes, a multiple of 8. Returns 0 and sets errno on failure.
 */
unsigned int bpf_values_count(int map, uint32_t value_size);

#define BPF_FUNCTIONS 32		/* of a program, most */

struct bpf_code {
	enum bpf_prog_type type;
	uint32_t attach_type;	/* BPF_ATTACH_*, BPF_TRACE_*; 0: none */
	uint32_t btf_id;	/* what it is attached to, in BTF; 0: not told */
	int btf;		/* file descriptor of its module's BTF; 0: the kernel's */
	const struct bpf_insn *insns;
	uint32_t n;
	uint32_t kern_version;	/* must be the kernel's for kprobes up to 4.19 */
	const char *name;	/* as in struct bpf_map_shape */
	/* where the functions behind the program begin; most BPF_FUNCTIONS */
	const uint16_t *functions;
	uint32_t n_functions;
	char *log;		/* for the verifier's log; NULL: none */
	uint32_t log_size;
};

/* Loads a program. Returns its file descriptor, or -errno. */
int bpf_code_load(const struct bpf_code *code, struct memlock *m);

/* The kernel's numbers for programs of links, which older headers lack. */
#define BPF_ATTACH_ITERATOR 28
#define BPF_ATTACH_KPROBES 42
#define BPF_ATTACH_UPROBES 48

/* Functions of the kernel, by address, or of a file, by offset. */
struct bpf_functions {
	const char *file;		/* NULL: functions of the kernel */
	const uint64_t *addresses;
	const uint64_t *cookies;	/* for each function; get_attach_cookie returns it */
	uint32_t n;
	bool returns;			/* the program runs at returns, not at calls */
	uint32_t process;		/* with a file: only in this process; 0: in all */
};
/* An address that no one can read. */
#define BPF_UNREADABLE ((void *)1)

/* The file descriptor of a module's BTF in the kernel, for struct bpf_code (5.11). Or -errno. */
int bpf_module_btf(const char *module);

/* Runs the program on the functions until the link is closed. Returns the link, or -errno. */
int bpf_link_functions(int program, const struct bpf_functions *f);

/*
 * An iterator with the program: the kernel runs it for the next items whenever the file descriptor
 * is read. Returns it, or -errno.
 */
int bpf_iterator(int program);

/*
 * Runs the program on the tracepoint until the link is closed. NULL: on the tracepoint or function
 * of the btf_id with which the program was loaded. Returns the link, or -errno.
 */
int bpf_raw_open(int program, const char *tracepoint);

/*
 * Adds the hits that a link on functions of the kernel missed. Returns -1 if the kernel can't be
 * asked. Before 6.7 the kernel does not count them, and the call succeeds without adding any.
 */
int bpf_link_missed(int link, uint64_t *missed);

/* Makes a name of kernel objects out of text: 15 characters, of letters, digits and underlines. */
void bpf_kernel_name(char name[BPF_OBJ_NAME_LEN], const char *text);

#endif
