// SPDX-License-Identifier: GPL-2.0
/* Operations on maps that the machine's host answers for. */
#include "backends/vm/vm_code.h"

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

op_fn *host_op(const struct bpf_insn *insn)
{
	return insn->code == RING_LOOKUP ? host_lookup :
	       insn->code == RING_UPDATE ? host_update : host_delete;
}
