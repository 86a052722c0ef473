/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_UNWIND_WALK_H
#define SONDE_UNWIND_WALK_H

#include "src/lib/unwind/rows.h"

/*
 * Walks from a thread's registers and a copy of its stack to the functions that it is in, as
 * debuggers do. Registers have DWARF's numbers.
 */
struct unwind_machine {
	uint8_t fp, sp;
	/* the register in which calls leave the return address; -1: calls push it */
	int8_t link;
	/* bits of an address; higher bits may be a signature */
	uint8_t bits;
	uint8_t word;			/* bytes of an address in memory */
	/* a second frame pointer, used by another kind of code; 0: none */
	uint8_t other;
	/*
	 * 32-bit ARM: code addresses are odd where code is Thumb. Tables are right only where a
	 * function calls another; so a return address without a table is wrong.
	 */
	bool thumb;
};

#define UNWIND_REGISTERS 33

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
unsigned int unwind_walk(const struct unwind_machine *m, const struct unwind_state *from,
			 unwind_find_fn find, void *arg, uint64_t *addresses, unsigned int most);

#endif
