// SPDX-License-Identifier: GPL-2.0
#include "compat/base/bpf.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <linux/btf.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

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

	/* Before 5.2 the kernel refuses a dot in a name. */
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

#define MOST_CPUS 8192U		/* the largest CONFIG_NR_CPUS: x86 with CONFIG_MAXSMP */
#define UNTOUCHED 0xff

/* The kernel copies the values of a new array, which are 0, and leaves the rest of the buffer. */
unsigned int bpf_values_count(int map, uint32_t value_size)
{
	const size_t size = (size_t)MOST_CPUS * value_size;
	const uint32_t first = 0;
	uint8_t *values = malloc(size);
	size_t filled = 0;
	int result;

	if (!values)
		return 0;
	memset(values, UNTOUCHED, size);
	result = bpf_map_lookup_elem(map, &first, values);
	if (!result)
		while (filled < size && values[filled] != UNTOUCHED)
			filled += value_size;
	free(values);
	if (!filled)
		errno = result ? -result : EIO;
	return (unsigned int)(filled / value_size);
}

/* Type information: a function without parameters that returns an int. */
static const struct {
	struct btf_header head;
	struct btf_type integer;
	uint32_t encoding;
	struct btf_type prototype, function;
	char names[10];
} function_types = {
	.head = { .magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = sizeof(struct btf_header),
		  .type_len = 3 * sizeof(struct btf_type) + 4,
		  .str_off = 3 * sizeof(struct btf_type) + 4, .str_len = 10 },
	.integer = { .name_off = 1, .info = BTF_KIND_INT << 24, .size = 4 },
	.encoding = BTF_INT_SIGNED << 24 | 32,
	.prototype = { .info = BTF_KIND_FUNC_PROTO << 24, .type = 1 },
	.function = { .name_off = 5, .info = BTF_KIND_FUNC << 24, .type = 2 },
	.names = "\0int\0turn",
};
#define TYPE_OF_FUNCTION 3

/*
 * The kernel wants to know the types of functions, and of the program, that hand over functions. It
 * keeps what it needs. Returns a file descriptor, or -errno.
 */
static int describe_functions(const struct bpf_code *code, struct bpf_func_info *info,
			      struct memlock *m)
{
	int fd;

	for (unsigned int i = 0; i <= code->n_functions; i++)
		info[i] = (struct bpf_func_info){
			.insn_off = i ? code->functions[i - 1] : 0, .type_id = TYPE_OF_FUNCTION,
		};
	do
		fd = bpf_btf_load(&function_types, offsetof(typeof(function_types), names) +
				  sizeof(function_types.names), NULL);
	while (fd == -EPERM && memlock_raise(m));
	return fd;
}

int bpf_code_load(const struct bpf_code *code, struct memlock *m)
{
	/* The verifier returns EAGAIN while a signal is pending: the wrapper then tries again. */
	LIBBPF_OPTS(bpf_prog_load_opts, options,
		    .attempts = INT_MAX,
		    .expected_attach_type = code->attach_type,
		    .attach_btf_id = code->btf_id,
		    .attach_btf_obj_fd = (uint32_t)code->btf,
		    .kern_version = code->kern_version,
		    .log_level = code->log ? 1 : 0,
		    .log_buf = code->log,
		    .log_size = code->log ? code->log_size : 0);
	struct bpf_func_info info[BPF_FUNCTIONS + 1];
	char text[BPF_OBJ_NAME_LEN];
	const char *name = NULL;
	int fd, types = -1;

	if (code->name) {
		bpf_kernel_name(text, code->name);
		name = text;
	}
	leave_memlock();
	if (code->n_functions) {
		types = describe_functions(code, info, m);
		if (types < 0)
			return types;
		options.prog_btf_fd = (uint32_t)types;
		options.func_info = info;
		options.func_info_cnt = code->n_functions + 1;
		options.func_info_rec_size = sizeof(*info);
	}
	do
		fd = bpf_prog_load(code->type, name, "GPL", code->insns, code->n, &options);
	while (fd == -EPERM && memlock_raise(m));
	if (types >= 0)
		close(types);
	return fd;
}

/* Members of union bpf_attr for BPF_LINK_CREATE, which the build machine's headers may lack. */
struct link_attr {
	uint32_t program, target, attach_type, flags;
	union {
		struct {
			uint32_t flags, n;
			uint64_t names, addresses, cookies;
		} kprobes;
		struct {
			uint64_t path, offsets, counters, cookies;
			uint32_t n, flags, process, padding;
		} uprobes;
		struct {
			uint64_t info;
			uint32_t length;
		} iterator;
	};
};

#define AT_RETURN 1			/* the flag of kprobes and of uprobes */

static uint64_t address(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

int bpf_link_functions(int program, const struct bpf_functions *f)
{
	struct link_attr attr = { .program = (uint32_t)program };
	uint32_t flags = f->returns ? AT_RETURN : 0;
	long link;

	if (f->file) {
		attr.attach_type = BPF_ATTACH_UPROBES;
		attr.uprobes.path = address(f->file);
		attr.uprobes.offsets = address(f->addresses);
		attr.uprobes.cookies = address(f->cookies);
		attr.uprobes.n = f->n;
		attr.uprobes.flags = flags;
		attr.uprobes.process = f->process;
	} else {
		attr.attach_type = BPF_ATTACH_KPROBES;
		attr.kprobes.flags = flags;
		attr.kprobes.n = f->n;
		attr.kprobes.addresses = address(f->addresses);
		attr.kprobes.cookies = address(f->cookies);
	}
	link = syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr));
	return link < 0 ? -errno : (int)link;
}

/* Of control groups the kernel wants to be told the order: each group before those below it. */
#define GROUPS_FROM_ABOVE 2

int bpf_iterator(int program)
{
	static const uint32_t order = GROUPS_FROM_ABOVE;
	struct link_attr attr = {
		.program = (uint32_t)program, .attach_type = BPF_ATTACH_ITERATOR,
	};
	int link = (int)syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr)), fd;
	uint32_t make[2] = { };

	if (link < 0 && errno == EINVAL) {
		attr.iterator.info = address(&order);
		attr.iterator.length = sizeof(order);
		link = (int)syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr));
	}
	if (link < 0)
		return -errno;
	make[0] = (uint32_t)link;
	fd = (int)syscall(SYS_bpf, BPF_ITER_CREATE, make, sizeof(make));
	fd = fd < 0 ? -errno : fd;
	close(link);
	return fd;
}

#define MODULE_NAME 64

int bpf_module_btf(const char *module)
{
	char name[MODULE_NAME];
	uint32_t id = 0;
	int error;

	while (!(error = bpf_btf_get_next_id(id, &id))) {
		struct bpf_btf_info info = { .name = address(name), .name_len = sizeof(name) };
		uint32_t length = sizeof(info);
		int fd = bpf_btf_get_fd_by_id(id);

		if (fd < 0)
			continue;
		*name = '\0';
		if (!bpf_obj_get_info_by_fd(fd, &info, &length) && !strcmp(name, module))
			return fd;
		close(fd);
	}
	return error;
}

int bpf_raw_open(int program, const char *tracepoint)
{
	union bpf_attr attr = { };
	long link;

	attr.raw_tracepoint.name = address(tracepoint);
	attr.raw_tracepoint.prog_fd = (uint32_t)program;
	link = syscall(SYS_bpf, BPF_RAW_TRACEPOINT_OPEN, &attr, sizeof(attr));
	return link < 0 ? -errno : (int)link;
}

/* struct bpf_link_info of a link on many functions of the kernel. */
struct link_info {
	uint32_t type, id, program, padding;
	uint64_t addresses;
	uint32_t n, flags;
	uint64_t missed;
};

int bpf_link_missed(int link, uint64_t *missed)
{
	struct link_info info = { };
	uint32_t length = sizeof(info);

	if (bpf_obj_get_info_by_fd(link, &info, &length) || length < sizeof(info))
		return -1;
	*missed += info.missed;
	return 0;
}
