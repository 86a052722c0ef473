/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_SYS_H
#define SONDE_BPF_SYS_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

#include "compat/base/error.h"
#include "compat/kernel.h"

/*
 * The bpf(2) calls the engine makes. The attribute is handed over no longer than what is set in it: a kernel that does
 * not know a field refuses (E2BIG) whatever is not zero there.
 *
 * All return a file descriptor or 0, or -errno.
 */

/*
 * Up to Linux 5.10 the memory of maps and programs counts against RLIMIT_MEMLOCK, and EPERM is what the kernel says
 * when it is used up. The limit is raised only then, and put back: a command sonde starts shall not inherit it.
 */
struct bpf_memlock {
	bool raised;
	struct rlimit before;
};

void bpf_memlock_restore(struct bpf_memlock *m);

struct bpf_sys_map {
	enum bpf_map_type type;
	uint32_t key_size, value_size, entries;
	const char *name;	/* NULL: none, for kernels that know no names */
};

int bpf_sys_map_create(const struct bpf_sys_map *map, struct bpf_memlock *m);
int bpf_sys_lookup(int fd, const void *key, void *value);
int bpf_sys_update(int fd, const void *key, const void *value);
int bpf_sys_delete(int fd, const void *key);
int bpf_sys_next_key(int fd, const void *key, void *next);

struct bpf_sys_program {
	enum bpf_prog_type type;
	const struct bpf_insn *insns;
	uint32_t n;
	uint32_t kern_version;
	const char *name;	/* NULL: none */
	char *log;		/* NULL: no verifier log */
	uint32_t log_size;
};

int bpf_sys_program_load(const struct bpf_sys_program *p, struct bpf_memlock *m);
/* How often the kernel did not run the program, for another one ran on that CPU; -ENOENT: it does not say. */
int bpf_sys_program_misses(int fd, uint64_t *misses);

/* Makes a name of kernel objects out of text: 15 characters, of letters, digits and underlines. */
#define BPF_SYS_NAME 16
void bpf_sys_name(char name[BPF_SYS_NAME], const char *text);

/* What a bpf(2) call refused with EPERM may mean, and what to do: text to end an error message with. */
const char *bpf_not_permitted(struct kernel *k);

#endif
