/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_VM_CODE_H
#define SONDE_VM_CODE_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>

#include "backends/vm/vm.h"
#include "backends/vm/vm_maps.h"
#include "backends/vm/vm_stacks.h"
#include "backends/vm/vm_strings.h"

/*
 * The inside of sonde's machine: backends/vm/vm.c loads programs and owns the maps, backends/vm/vm_run.c runs them.
 *
 * Code is what a checked program is made into: one operation an instruction, with its opcode, or one of these where it
 * calls a function or loads with its sign. They use opcodes the checker lets no program have: the class of 32-bit jumps,
 * behind those of enum ring_insn, and of loads relative to a register.
 */
#define OWN_OP(n) (RING_INSN_END + ((n) << 3))

enum {
	OP_RECORD_SIGNED	= BPF_LD | BPF_IND,	/* | size; not sign-extended: BPF_LD | BPF_ABS | size */
	OP_IMMEDIATE		= BPF_LD | BPF_IMM | BPF_DW,
	OP_LOOKUP		= OWN_OP(0),
	OP_UPDATE		= OWN_OP(1),
	OP_DELETE		= OWN_OP(2),
	OP_TIME			= OWN_OP(3),
	OP_CPU			= OWN_OP(4),
	OP_TASK			= OWN_OP(5),
	OP_COMM			= OWN_OP(6),
	OP_STRING_LOC		= OWN_OP(7),
	OP_STRING_ARRAY		= OWN_OP(8),
	OP_STRING_PART		= OWN_OP(9),
	OP_READ_STRING		= OWN_OP(10),
	OP_OUTPUT		= OWN_OP(11),
	OP_COUNT_FULL		= OWN_OP(12),
	OP_STRING_PIECES	= OWN_OP(13),
	OP_ROW_ENDS		= OWN_OP(14),
	OP_COUNT_UNKNOWN	= OWN_OP(15),
	OP_STACK		= OWN_OP(16),
};

struct op {
	uint8_t code, dst, src;
	int32_t off;		/* of a jump: in operations */
	int32_t from;		/* of a copy, of an update's value: its offset */
	uint64_t imm;		/* sign-extended; a map: its address; of a copy: its size */
};

struct code {
	struct op *ops;
	uint32_t record_bytes;	/* what a record must have */
};

struct vm {
	struct map *maps_declared;
	struct vm_map *maps;
	unsigned int n_maps;
	struct code *programs;
	unsigned int n_programs;
	struct strings strings;
	vm_output_fn output;
	void *arg;
	uint64_t now;		/* time of the last event */
	uint32_t refused;	/* map updates of this run that were counted, and not yet told by the program */
	struct vm_stats stats;
};

struct vm_event {
	const struct sample *sample;
	const uint64_t *parts;	/* handles of the texts that its parts brought */
	unsigned int n_parts;
};

void vm_execute(struct vm *vm, const struct op *op, const struct vm_event *event);

#endif
