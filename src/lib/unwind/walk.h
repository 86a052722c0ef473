/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_UNWIND_WALK_H
#define SONDE_UNWIND_WALK_H

#include "compat/arch/arch.h"
#include "src/lib/unwind/rows.h"

/*
 * Walks from a thread's registers and a copy of its stack to the functions that it is in, as
 * debuggers do. Registers have DWARF's numbers (arch_unwind in compat/arch/arch.h).
 */
#define UNWIND_REGISTERS ARCH_UNWIND_REGISTERS

struct unwind_state {
	uint64_t registers[UNWIND_REGISTERS];
	uint64_t known;			/* a bit for each register with a known value */
	uint64_t ip;
	/* a copy of the memory from the stack pointer on; unaligned */
	const uint8_t *stack;
	uint64_t size;			/* bytes of the copy */
};

/* Finds the row for an address. NULL: there is no table; &unwind_no_code: there is no code. */
extern const struct unwind_row unwind_no_code;
typedef const struct unwind_row *(*unwind_find_fn)(void *arg, uint64_t address);

/*
 * Writes the addresses, newest first, and returns their number, at most `most`. A function without
 * a table is left by its frame pointer; a frame pointer of 0 means that there is no caller. The
 * last address may be a mark (insns/stack_mark.h) that says why the walk ended early.
 */
unsigned int unwind_walk(const struct arch *arch, const struct unwind_state *from,
			 unwind_find_fn find, void *arg, uint64_t *addresses, unsigned int most);

#endif
