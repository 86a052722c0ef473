// SPDX-License-Identifier: GPL-2.0
/* What programs ask of the host, of the kernel's memory and of this machine's clocks. */
#include "backends/vm/vm_code.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/probing/kcore.h"

/* Jumps back that take as long as an answer, from sonde's tables or from the kernel's maps. */
#define HOST_TURNS 16

static unsigned int number_of(const struct machine *m, const struct op *op)
{
	return (unsigned int)((const struct vm_map *)address(op->imm) - m->vm->maps);
}

OP(host_lookup)
{
	vm_took(m, HOST_TURNS);
	m->r[0] = (uintptr_t)m->vm->host->lookup(m->vm->arg, number_of(m, op), ON_STACK(op->off));
	NEXT;
}

OP(host_update)
{
	vm_took(m, HOST_TURNS);
	m->r[0] = (uint64_t)(int64_t)m->vm->host->update(m->vm->arg, number_of(m, op),
							 ON_STACK(op->off), ON_STACK(op->from));
	NEXT;
}

OP(host_delete)
{
	vm_took(m, HOST_TURNS);
	m->r[0] = (uint64_t)(int64_t)m->vm->host->delete(m->vm->arg, number_of(m, op),
							 ON_STACK(op->off));
	NEXT;
}

/* Helpers of events that are sonde's own. */

OP(read_kernel)
{
	void *to = address(m->r[1]);
	const int error = kcore_read(m->r[3], to, m->r[2]);

	if (error)
		memset(to, 0, m->r[2]);
	m->r[0] = (uint64_t)(int64_t)error;
	NEXT;
}

/* A text may end just before what can't be read: byte by byte. */
static int64_t read_text(char *to, uint64_t size, uint64_t from)
{
	memset(to, 0, size);
	for (uint64_t i = 0; i + 1 < size; i++) {
		const int error = kcore_read(from + i, to + i, 1);

		if (error)
			return error;
		if (!to[i])
			return (int64_t)i + 1;
	}
	return (int64_t)size;
}

OP(read_kernel_text)
{
	m->r[0] = (uint64_t)read_text(address(m->r[1]), m->r[2], m->r[3]);
	NEXT;
}

/* The letters end with a NUL, or with their memory. */
OP(search)
{
	const char *text = address(m->r[1]), *letters = address(m->r[3]);
	const size_t n = strnlen(text, m->r[2]);
	const char *found = memmem(text, n, letters, strnlen(letters, m->r[4]));

	m->r[0] = found ? (uint64_t)(found - text) : UINT64_MAX;
	NEXT;
}

OP(get_node)
{
	unsigned int node = 0;

	syscall(SYS_getcpu, NULL, &node, NULL);
	m->r[0] = node;
	NEXT;
}

static uint64_t clock_of(clockid_t clock)
{
	struct timespec t = { };

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * NS_PER_SECOND + (uint64_t)t.tv_nsec;
}

OP(get_boot_time)
{
	m->r[0] = clock_of(CLOCK_BOOTTIME);
	NEXT;
}

OP(get_tai)
{
	m->r[0] = clock_of(CLOCK_TAI);
	NEXT;
}

op_fn *own_helper(int32_t helper)
{
	switch (helper) {
	case RING_READ_KERNEL:
		return read_kernel;
	case RING_READ_KERNEL_TEXT:
		return read_kernel_text;
	case RING_SEARCH:
		return search;
	case BPF_FUNC_get_numa_node_id:
		return get_node;
	case BPF_FUNC_ktime_get_boot_ns:
		return get_boot_time;
	case BPF_FUNC_ktime_get_tai_ns:
		return get_tai;
	default:
		return NULL;
	}
}

op_fn *host_op(const struct bpf_insn *insn)
{
	return insn->code == RING_LOOKUP ? host_lookup :
	       insn->code == RING_UPDATE ? host_update : host_delete;
}
