// SPDX-License-Identifier: GPL-2.0
#include "compat/base/bpf.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <string.h>

/*
 * On kernels before 5.11 a shared libbpf raises RLIMIT_MEMLOCK and leaves it raised. This call
 * forbids that, but not every libbpf exports it.
 */
int libbpf_set_memlock_rlim(size_t bytes) __attribute__((weak));

static void leave_memlock(void)
{
	if (libbpf_set_memlock_rlim)
		libbpf_set_memlock_rlim(0);
}

void bpf_kernel_name(char name[BPF_OBJ_NAME_LEN], const char *text)
{
	unsigned int i;

	/* The kernel takes a dot only since 5.2. */
	for (i = 0; i < BPF_OBJ_NAME_LEN - 1 && text[i]; i++)
		name[i] = isalnum((unsigned char)text[i]) ? text[i] : '_';
	memset(name + i, 0, BPF_OBJ_NAME_LEN - i);
}

int bpf_map_make(const struct bpf_map_shape *shape, struct memlock *m)
{
	LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = shape->flags);
	char text[BPF_OBJ_NAME_LEN];
	const char *name = NULL;
	int fd;

	if (shape->name) {
		bpf_kernel_name(text, shape->name);
		name = text;
	}
	leave_memlock();
	do
		fd = bpf_map_create(shape->type, name, shape->key_size, shape->value_size,
				    shape->entries, &options);
	while (fd == -EPERM && memlock_raise(m));
	return fd;
}

int bpf_code_load(const struct bpf_code *code, struct memlock *m)
{
	/* The verifier gives up when a signal is pending (EAGAIN). */
	LIBBPF_OPTS(bpf_prog_load_opts, options,
		    .attempts = INT_MAX,
		    .kern_version = code->kern_version,
		    .log_level = code->log ? 1 : 0,
		    .log_buf = code->log,
		    .log_size = code->log ? code->log_size : 0);
	char text[BPF_OBJ_NAME_LEN];
	const char *name = NULL;
	int fd;

	if (code->name) {
		bpf_kernel_name(text, code->name);
		name = text;
	}
	leave_memlock();
	do
		fd = bpf_prog_load(code->type, name, "GPL", code->insns, code->n, &options);
	while (fd == -EPERM && memlock_raise(m));
	return fd;
}
