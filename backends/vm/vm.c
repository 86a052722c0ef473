// SPDX-License-Identifier: GPL-2.0
#include "backends/vm/vm.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "backends/vm/vm_code.h"
#include "backends/vm/vm_stacks.h"
#include "compat/base/array.h"

struct vm *vm_new(const struct map *maps, unsigned int n_maps, vm_output_fn output, void *arg,
		  struct error *err)
{
	struct vm *vm = calloc(1, sizeof(*vm));

	if (!vm)
		goto no_memory;
	vm->machine.vm = vm;
	vm->machine.r[10] = (uintptr_t)vm->stack + VM_STACK;
	vm->output = output;
	vm->arg = arg;
	vm->maps_declared = calloc(n_maps + 1, sizeof(*vm->maps_declared));
	vm->maps = calloc(n_maps + 1, sizeof(*vm->maps));
	if (!vm->maps_declared || !vm->maps || strings_init(&vm->strings))
		goto no_memory;
	for (; vm->n_maps < n_maps; vm->n_maps++) {
		vm->maps_declared[vm->n_maps] = maps[vm->n_maps];
		if (vm_map_init(&vm->maps[vm->n_maps], &maps[vm->n_maps], err)) {
			vm_free(vm);
			return NULL;
		}
	}
	return vm;
no_memory:
	vm_free(vm);
	fail(err, "out of memory for sonde's own machine");
	return NULL;
}

void vm_free(struct vm *vm)
{
	if (!vm)
		return;
	for (unsigned int i = 0; i < vm->n_maps; i++)
		vm_map_free(&vm->maps[i]);
	for (unsigned int i = 0; i < vm->n_programs; i++)
		free(vm->programs[i].ops);
	strings_free(&vm->strings);
	free(vm->programs);
	free(vm->maps);
	free(vm->maps_declared);
	free(vm);
}

void vm_set_host(struct vm *vm, const struct vm_host *host)
{
	vm->host = host;
}

static bool is_jump(const struct bpf_insn *insn)
{
	return insn->code == RING_AGAIN ||
	       (BPF_CLASS(insn->code) == BPF_JMP && BPF_OP(insn->code) != BPF_CALL &&
		BPF_OP(insn->code) != BPF_EXIT);
}

/* Returns true for an operation on a map of kind MAP_HOST. */
static bool is_of_host(const struct vm_map *maps, const struct bpf_insn *insn)
{
	const bool works = insn->code == RING_LOOKUP || insn->code == RING_UPDATE ||
			   insn->code == RING_DELETE;

	return works && maps[insn_map(insn)].map.kind == MAP_HOST;
}

/* Makes the operation of an instruction: maps become addresses, packed numbers are unpacked. */
static void make_op(struct vm *vm, const struct bpf_insn *insn, struct op *op)
{
	op_fn *run = is_of_host(vm->maps, insn) ? host_op(insn) : call_op(insn);

	*op = (struct op){
		.run = run ? run : plain_op(insn), .dst = insn->dst_reg, .src = insn->src_reg,
		.off = insn->off, .imm = (uint64_t)(int64_t)insn->imm,
	};
	switch (insn->code) {
	case BPF_LD | BPF_IMM | BPF_DW:
		if (insn->src_reg == BPF_PSEUDO_MAP_FD)
			op->imm = (uintptr_t)&vm->maps[insn->imm];
		else
			op->imm = (uint32_t)insn[0].imm | (uint64_t)(uint32_t)insn[1].imm << 32;
		break;
	case RING_LOOKUP:
	case RING_DELETE:
	case RING_ADD:
		op->imm = (uintptr_t)&vm->maps[insn->imm];
		break;
	case RING_UPDATE:
		op->imm = (uintptr_t)&vm->maps[RING_UPDATE_MAP(insn->imm)];
		op->from = RING_UPDATE_VALUE(insn->imm);
		break;
	case RING_COPY:
		op->imm = COPY_SIZE_OF(insn->imm);
		op->from = COPY_FROM_OF(insn->imm);
		break;
	case BPF_ALU64 | BPF_DIV | BPF_K:
		if (has_inverse(insn))
			op->inverse = UINT64_MAX / op->imm + 1;
		break;
	default:
		break;
	}
}

static unsigned int halves(const struct bpf_insn *insn)
{
	return insn->code == (BPF_LD | BPF_IMM | BPF_DW) ? 2 : 1;
}

/* The index at which jump i ends. If a forward GOTO is there, the GOTO's own target is taken. */
static unsigned int target_of(const struct bpf_insn *insns, unsigned int i)
{
	do
		i += 1 + (unsigned int)insns[i].off;
	while (insns[i].code == (BPF_JMP | BPF_JA) && insns[i].off >= 0);
	return i;
}

/* Makes the operations of a checked program. index: room for n numbers. */
static void translate(struct vm *vm, const struct bpf_insn *insns, unsigned int n, struct op *ops,
		      unsigned int *index)
{
	unsigned int made = 0;

	for (unsigned int i = 0; i < n; i += halves(&insns[i])) {
		index[i] = made;
		make_op(vm, &insns[i], &ops[made++]);
	}
	for (unsigned int i = 0; i < n; i += halves(&insns[i])) {
		struct op *op = &ops[index[i]];
		op_fn *joined = is_of_host(vm->maps, &insns[i]) ? NULL :
				joined_op(&insns[i], n - i, vm->maps);

		if (joined)
			op->run = joined;
		if (is_jump(&insns[i]))
			op->to = &ops[index[target_of(insns, i)]];
	}
}

int vm_load(struct vm *vm, const struct bpf_insn *insns, unsigned int n, struct error *err)
{
	struct check c = {
		.generation = vm->host ? &generation_own : &generation_ring,
		.type = TYPE_TRACEPOINT,
		.maps = vm->maps_declared,
		.n_maps = vm->n_maps,
	};
	struct code code;
	unsigned int *index;

	assert(insns);
	if (check_record(insns, n, &c, &code.record_bytes, err))
		return -1;
	if (array_room(&vm->programs, vm->n_programs, sizeof(*vm->programs)))
		return fail(err, "out of memory for a program of sonde's own machine");
	code.ops = calloc(n, sizeof(*code.ops));
	index = calloc(n, sizeof(*index));
	if (!code.ops || !index) {
		free(code.ops);
		free(index);
		return fail(err, "out of memory for a program of sonde's own machine");
	}
	translate(vm, insns, n, code.ops, index);
	free(index);
	vm->programs[vm->n_programs] = code;
	return (int)vm->n_programs++;
}

uint64_t vm_intern(struct vm *vm, const char *text, uint32_t length)
{
	return strings_add(&vm->strings, text, length);
}

uint64_t vm_gap(struct vm *vm, uint64_t time)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < vm->n_maps; i++)
		n += vm_map_gap(&vm->maps[i], time);
	return n;
}

void vm_forget(struct vm *vm, enum map_owner owner, uint32_t id)
{
	for (unsigned int i = 0; i < vm->n_maps; i++) {
		struct vm_map *m = &vm->maps[i];
		void *value = m->map.of == owner ? vm_map_lookup(m, &id) : NULL;

		if (value)
			memset(value, 0, m->map.value_size);
	}
}

int vm_set(struct vm *vm, unsigned int map, const void *key, const void *value)
{
	struct vm_map *m = &vm->maps[map];
	void *old;

	assert(map < vm->n_maps && key);
	if (m->map.kind == MAP_OUTPUT || m->map.kind == MAP_STACKS)
		return -1;
	if (value)
		return vm_map_update(m, key, value, BPF_ANY, vm->now) ? -1 : 0;
	if (m->map.kind == MAP_HASH)
		return vm_map_delete(m, key) ? -1 : 0;
	/* An element of an array can't be deleted: it becomes 0. */
	old = vm_map_lookup(m, key);
	if (!old)
		return -1;
	memset(old, 0, m->map.value_size);
	return 0;
}

int vm_get(struct vm *vm, unsigned int map, const void *key, void *value)
{
	struct vm_map *m = &vm->maps[map];
	const void *found;

	assert(map < vm->n_maps && key && value);
	if (m->map.kind == MAP_OUTPUT)
		return -1;
	found = m->map.kind == MAP_STACKS ? vm_stack_find(m, key) : vm_map_lookup(m, key);
	if (!found)
		return -1;
	memcpy(value, found, m->map.value_size);
	return 0;
}

void vm_take(struct vm *vm, unsigned int map,
	     void (*entry)(void *arg, const void *key, const void *value), void *arg)
{
	assert(map < vm->n_maps && entry);
	vm_map_take(&vm->maps[map], entry, arg);
}

static struct vm_map *crowded(struct vm *vm, bool taken)
{
	for (unsigned int i = 0; i < vm->n_maps; i++)
		if (vm->maps[i].map.kind == MAP_STACKS &&
		    stack_crowded(&vm->crowd, vm_stacks_used(&vm->maps[i]),
				  vm->maps[i].map.entries, taken))
			return &vm->maps[i];
	return NULL;
}

int vm_renew(struct vm *vm, bool taken, void (*held)(void *arg, struct stack_marks *marks),
	     void *arg)
{
	struct vm_map *stacks = crowded(vm, taken);
	struct stack_marks marks;

	if (!stacks)
		return 0;
	if (stack_marks_init(&marks, &stacks->map, 1))
		return -1;
	for (unsigned int i = 0; i < vm->n_maps; i++) {
		struct stack_marking marking = { &marks, &vm->maps[i].map };

		if (map_refers_to_stacks(marking.map))
			vm_map_look(&vm->maps[i], stack_marks_entry, &marking);
	}
	held(arg, &marks);
	vm_stacks_sweep(stacks, &marks);
	vm->crowd.kept = vm_stacks_used(stacks);
	stack_marks_free(&marks);
	return 0;
}

void vm_stats(const struct vm *vm, struct vm_stats *s)
{
	*s = vm->stats;
}
