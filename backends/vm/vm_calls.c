// SPDX-License-Identifier: GPL-2.0
/* Operations on maps, on the event: its time, task and texts, and helpers of own events. */
#include "backends/vm/vm_code.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backends/vm/data_loc.h"
#include "backends/vm/pieces.h"
#include "backends/vm/vm_stacks.h"
#include "compat/base/clock.h"
#include "compat/probing/kcore.h"
#include "compat/probing/random.h"

#define COMM_SIZE 16

/* Maps. */

static uint64_t update(struct vm *vm, struct vm_map *map, const void *key, const void *value,
		       uint64_t flags)
{
	int result = vm_map_update(map, key, value, flags, vm->now);

	/* an array returns -E2BIG if it has no such element */
	if (result == -E2BIG && map->map.kind == MAP_HASH) {
		vm->stats.full++;
		vm->refused++;
	}
	return (uint64_t)(int64_t)result;
}

OP(lookup)
{
	m->r[0] = (uintptr_t)vm_map_lookup(address(m->r[1]), address(m->r[2]));
	NEXT;
}

OP(lookup_at)
{
	m->r[0] = (uintptr_t)vm_map_lookup(address(op->imm), ON_STACK(op->off));
	NEXT;
}

OP(update_by)
{
	m->r[0] = update(m->vm, address(m->r[1]), address(m->r[2]), address(m->r[3]), m->r[4]);
	NEXT;
}

OP(update_at)
{
	m->r[0] = update(m->vm, address(op->imm), ON_STACK(op->off), ON_STACK(op->from), op->dst);
	NEXT;
}

OP(delete_by)
{
	m->r[0] = (uint64_t)(int64_t)vm_map_delete(address(m->r[1]), address(m->r[2]));
	NEXT;
}

OP(delete_at)
{
	m->r[0] = (uint64_t)(int64_t)vm_map_delete(address(op->imm), ON_STACK(op->off));
	NEXT;
}

/* A program does not see that its addition was refused. So only this function counts it. */
OP(add_at)
{
	struct vm_map *map = address(op->imm);
	const void *key = ON_STACK(op->off);
	uint64_t addend = op->src ? SRC : 1;
	mem64 *value = vm_map_lookup(map, key);

	if (value)
		*value += addend;
	else if (map->map.kind == MAP_HASH &&
		 vm_map_update(map, key, &addend, BPF_NOEXIST, m->vm->now))
		m->vm->stats.full++;
	NEXT;
}

/*
 * update() has counted a refused update, whether the program tests the result or not. So a
 * COUNT_FULL for a refused update is not counted again.
 */
OP(count_full)
{
	if (m->vm->refused)
		m->vm->refused--;
	else
		m->vm->stats.full++;
	m->r[0] = 0;
	NEXT;
}

/* The event. */

OP(get_time)
{
	m->r[0] = m->sample->time;
	NEXT;
}

OP(get_cpu)
{
	m->r[0] = m->sample->cpu;
	NEXT;
}

OP(get_task)
{
	m->r[0] = (uint64_t)m->sample->tgid << 32 | m->sample->tid;
	NEXT;
}

static int64_t copy_comm(const char *comm, char *to, uint64_t size)
{
	memset(to, 0, size);
	if (!comm)
		return -EINVAL;
	memcpy(to, comm, size < COMM_SIZE ? size : COMM_SIZE);
	to[size - 1] = 0;
	return 0;
}

OP(get_comm)
{
	m->r[0] = (uint64_t)copy_comm(m->sample->comm, address(m->r[1]), m->r[2]);
	NEXT;
}

OP(stack_number)
{
	m->r[0] = (uint64_t)vm_stack_number(address(m->r[1]), m->sample, m->r[2]);
	NEXT;
}

OP(output)
{
	struct vm *vm = m->vm;
	const struct vm_map *map = address(m->r[1]);

	vm->output(vm->arg, (unsigned int)(map - vm->maps), address(m->r[2]), (uint32_t)m->r[3]);
	m->r[0] = 0;
	NEXT;
}

OP(count_unknown)
{
	m->vm->stats.unknown++;
	m->r[0] = 0;
	NEXT;
}

OP(get_in_scope)
{
	m->r[0] = m->sample->scope;
	NEXT;
}

/* Texts. */

OP(string_loc)
{
	uint32_t length;
	const char *text = data_loc_text(m->record, m->sample->size, (uint32_t)m->r[1], m->r[2],
					 &length);

	m->r[0] = text ? strings_add(&m->vm->strings, text, length) : 0;
	NEXT;
}

OP(string_array)
{
	const char *text = (const char *)m->record + m->r[1];

	m->r[0] = strings_add(&m->vm->strings, text, (uint32_t)strnlen(text, m->r[2]));
	NEXT;
}

OP(string_part)
{
	m->r[0] = m->parts && m->r[1] < m->n_parts ? m->parts[m->r[1]] : 0;
	NEXT;
}

static uint64_t text_of_pieces(struct vm *vm, const uint8_t *record, const uint64_t *r)
{
	char text[PIECES_TEXT];
	int length = pieces_text(record + r[1], (uint32_t)r[2], (uint32_t)r[3], (uint32_t)r[4],
				 text);

	return length < 0 ? 0 : strings_add(&vm->strings, text, (uint32_t)length);
}

OP(string_pieces)
{
	m->r[0] = text_of_pieces(m->vm, m->record, m->r);
	NEXT;
}

OP(row_ends)
{
	m->r[0] = pieces_row_ends(m->record + m->r[1], (uint32_t)m->r[2], (uint32_t)m->r[3],
				  (uint32_t)m->r[4]);
	NEXT;
}

static int64_t copy_text(struct vm *vm, char *to, uint64_t size, uint64_t handle)
{
	uint32_t length;
	const char *text = strings_find(&vm->strings, handle, &length);

	if (!text) {
		vm->stats.strings++;
		memset(to, 0, size);
		return -EFAULT;
	}
	if (length > size - 1)
		length = (uint32_t)size - 1;
	memcpy(to, text, length);
	/* the memory behind the text may go into a record: old bytes must not */
	memset(to + length, 0, size - length);
	return (int64_t)length + 1;
}

OP(read_string)
{
	m->r[0] = (uint64_t)copy_text(m->vm, address(m->r[1]), m->r[2], m->r[3]);
	NEXT;
}

OP(get_random)
{
	m->r[0] = (uint32_t)random_number();
	NEXT;
}

/* Events that are sonde's own: memory of the kernel, this CPU and its clocks. */

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

OP(get_boot_time)
{
	m->r[0] = (uint64_t)clock_ns(CLOCK_BOOTTIME);
	NEXT;
}

OP(get_tai)
{
	m->r[0] = (uint64_t)clock_ns(CLOCK_TAI);
	NEXT;
}

static op_fn *op_of_helper(int32_t helper)
{
	static const struct {
		int32_t helper;
		op_fn *run;
	} helpers[] = {
		{ BPF_FUNC_map_lookup_elem,	lookup },
		{ BPF_FUNC_map_update_elem,	update_by },
		{ BPF_FUNC_map_delete_elem,	delete_by },
		{ BPF_FUNC_ktime_get_ns,	get_time },
		{ BPF_FUNC_get_smp_processor_id, get_cpu },
		{ BPF_FUNC_get_current_pid_tgid, get_task },
		{ BPF_FUNC_get_current_comm,	get_comm },
		{ BPF_FUNC_get_prandom_u32,	get_random },
		{ RING_STRING_LOC,		string_loc },
		{ RING_STRING_ARRAY,		string_array },
		{ RING_STRING_PART,		string_part },
		{ RING_STRING_PIECES,		string_pieces },
		{ RING_ROW_ENDS,		row_ends },
		{ RING_READ_STRING,		read_string },
		{ RING_OUTPUT,			output },
		{ RING_STACK,			stack_number },
		{ RING_COUNT_FULL,		count_full },
		{ RING_COUNT_UNKNOWN,		count_unknown },
		{ RING_IN_SCOPE,		get_in_scope },
		{ RING_READ_KERNEL,		read_kernel },
		{ RING_READ_KERNEL_TEXT,	read_kernel_text },
		{ RING_SEARCH,			search },
		{ BPF_FUNC_get_numa_node_id,	get_node },
		{ BPF_FUNC_ktime_get_boot_ns,	get_boot_time },
		{ BPF_FUNC_ktime_get_tai_ns,	get_tai },
	};

	for (unsigned int i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++)
		if (helpers[i].helper == helper)
			return helpers[i].run;
	return NULL;
}

op_fn *call_op(const struct bpf_insn *insn)
{
	switch (insn->code) {
	case BPF_JMP | BPF_CALL:
		return op_of_helper(insn->imm);
	case RING_LOOKUP:
		return lookup_at;
	case RING_UPDATE:
		return update_at;
	case RING_DELETE:
		return delete_at;
	case RING_ADD:
		return add_at;
	default:
		return NULL;
	}
}
