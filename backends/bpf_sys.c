// SPDX-License-Identifier: GPL-2.0
#include "backends/bpf_sys.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define UP_TO(field) (offsetof(union bpf_attr, field) + sizeof(((union bpf_attr *)0)->field))

/*
 * The system call itself, not libbpf's wrappers: those pull its program loader and BTF code into a static link (500 KB),
 * and load programs of their own first to find out what the kernel can do.
 */
static int bpf(enum bpf_cmd cmd, union bpf_attr *attr, size_t size)
{
	int result = (int)syscall(SYS_bpf, cmd, attr, size);

	return result < 0 ? -errno : result;
}

/* Pointers are u64 in the attribute, whatever the size of ours. */
static uint64_t address(const void *p)
{
	return (uintptr_t)p;
}

static bool memlock_raise(struct bpf_memlock *m)
{
	struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };

	if (m->raised || getrlimit(RLIMIT_MEMLOCK, &m->before))
		return false;
	m->raised = true;
	if (!setrlimit(RLIMIT_MEMLOCK, &all))
		return true;
	/* Without CAP_SYS_RESOURCE: as far as it goes. */
	all.rlim_cur = all.rlim_max = m->before.rlim_max;
	return m->before.rlim_cur != m->before.rlim_max && !setrlimit(RLIMIT_MEMLOCK, &all);
}

void bpf_memlock_restore(struct bpf_memlock *m)
{
	if (m->raised)
		setrlimit(RLIMIT_MEMLOCK, &m->before);
	m->raised = false;
}

/* Once more with a higher RLIMIT_MEMLOCK if that may be what was in the way. */
static int bpf_charged(enum bpf_cmd cmd, union bpf_attr *attr, size_t size, struct bpf_memlock *m)
{
	int result = bpf(cmd, attr, size);

	if (result == -EPERM && memlock_raise(m))
		result = bpf(cmd, attr, size);
	return result;
}

int bpf_sys_map_create(const struct bpf_sys_map *map, struct bpf_memlock *m)
{
	union bpf_attr attr = {
		.map_type = map->type,
		.key_size = map->key_size,
		.value_size = map->value_size,
		.max_entries = map->entries,
	};

	if (!map->name)
		return bpf_charged(BPF_MAP_CREATE, &attr, UP_TO(max_entries), m);
	bpf_sys_name(attr.map_name, map->name);
	return bpf_charged(BPF_MAP_CREATE, &attr, UP_TO(map_name), m);
}

int bpf_sys_lookup(int fd, const void *key, void *value)
{
	union bpf_attr attr = {
		.map_fd = (uint32_t)fd,
		.key = address(key),
		.value = address(value),
	};

	return bpf(BPF_MAP_LOOKUP_ELEM, &attr, UP_TO(value));
}

int bpf_sys_update(int fd, const void *key, const void *value)
{
	union bpf_attr attr = {
		.map_fd = (uint32_t)fd,
		.key = address(key),
		.value = address(value),
		.flags = BPF_ANY,
	};

	return bpf(BPF_MAP_UPDATE_ELEM, &attr, UP_TO(flags));
}

int bpf_sys_delete(int fd, const void *key)
{
	union bpf_attr attr = { .map_fd = (uint32_t)fd, .key = address(key) };

	return bpf(BPF_MAP_DELETE_ELEM, &attr, UP_TO(key));
}

int bpf_sys_next_key(int fd, const void *key, void *next)
{
	union bpf_attr attr = {
		.map_fd = (uint32_t)fd,
		.key = address(key),
		.next_key = address(next),
	};

	return bpf(BPF_MAP_GET_NEXT_KEY, &attr, UP_TO(next_key));
}

int bpf_sys_program_load(const struct bpf_sys_program *p, struct bpf_memlock *m)
{
	union bpf_attr attr = {
		.prog_type = p->type,
		.insn_cnt = p->n,
		.insns = address(p->insns),
		.license = address("GPL"),
		.log_level = p->log ? 1 : 0,
		.log_size = p->log ? p->log_size : 0,
		.log_buf = address(p->log),
		.kern_version = p->kern_version,
	};
	size_t size = UP_TO(kern_version);
	int result;

	if (p->name) {
		bpf_sys_name(attr.prog_name, p->name);
		size = UP_TO(prog_name);
	}
	do	/* the verifier gives up for a pending signal */
		result = bpf_charged(BPF_PROG_LOAD, &attr, size, m);
	while (result == -EAGAIN);
	return result;
}

int bpf_sys_program_misses(int fd, uint64_t *misses)
{
	struct bpf_prog_info info;
	union bpf_attr attr;
	int result;

	memset(&info, 0, sizeof(info));
	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = (uint32_t)fd;
	attr.info.info_len = sizeof(info);
	attr.info.info = address(&info);
	result = bpf(BPF_OBJ_GET_INFO_BY_FD, &attr, UP_TO(info));
	if (result < 0)
		return result;
	/* The kernel cuts the length to what it knows. */
	if (attr.info.info_len <
	    offsetof(struct bpf_prog_info, recursion_misses) + sizeof(info.recursion_misses))
		return -ENOENT;
	*misses = info.recursion_misses;
	return 0;
}

void bpf_sys_name(char name[BPF_SYS_NAME], const char *text)
{
	unsigned int i;

	/* The kernel takes a dot only since 5.2. */
	for (i = 0; i < BPF_SYS_NAME - 1 && text[i]; i++)
		name[i] = isalnum((unsigned char)text[i]) ? text[i] : '_';
	memset(name + i, 0, BPF_SYS_NAME - i);
}

const char *bpf_not_permitted(struct kernel *k)
{
	const char *lockdown = kernel_text(k, "/sys/kernel/security/lockdown");
	const char *unprivileged = kernel_text(k, "/proc/sys/kernel/unprivileged_bpf_disabled");

	if (lockdown && strstr(lockdown, "[confidentiality]"))
		return "the kernel is locked down (confidentiality): BPF may not read kernel memory;\n"
		       "that can be lifted only at boot";
	if (geteuid() && unprivileged && *unprivileged != '0')
		return "kernel.unprivileged_bpf_disabled is set, and tracing takes more rights anyway:\n"
		       "run sonde as root, or with CAP_BPF and CAP_PERFMON (before 5.8: CAP_SYS_ADMIN)";
	if (geteuid())
		return "run sonde as root, or with CAP_BPF and CAP_PERFMON (before 5.8: CAP_SYS_ADMIN)";
	return "either root has no CAP_BPF and CAP_PERFMON here (kernels before 5.8: CAP_SYS_ADMIN),\n"
	       "or a container's seccomp filter forbids bpf(2),\n"
	       "or, up to Linux 5.10, RLIMIT_MEMLOCK is too low and can't be raised (ulimit -l unlimited)";
}
