/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_UNWIND_WALK_H
#define SONDE_UNWIND_WALK_H

#include "src/lib/unwind/rows.h"

/*
 * From a thread's registers and a copy of its stack's memory to the functions that it is in: what
 * the debuggers do. Registers have DWARF's numbers.
 */
struct unwind_machine {
	uint8_t fp, sp;
	/* the register that calls leave the return address in; -1: they push it */
	int8_t link;
	/* of an address; above may be a signature */
	uint8_t bits;
	uint8_t word;			/* bytes of an address in memory */
	/* code of another kind has another frame pointer; 0: it does not */
	uint8_t other;
	/*
	 * Addresses of code are odd where it is Thumb; and tables tell only of places in a function
	 * that calls others: what is no code behind such a place is no caller.
	 */
	bool thumb;
};

#define UNWIND_REGISTERS 33

struct unwind_state {
	uint64_t registers[UNWIND_REGISTERS];
	uint64_t known;			/* a bit for each */
	uint64_t ip;
	const uint8_t *stack;		/* not aligned; a copy of what is at the stack pointer */
	uint64_t size;
};

/* NULL: no table tells of that place; &unwind_no_code: and there is no code. */
extern const struct unwind_row unwind_no_code;
typedef const struct unwind_row *(*unwind_find_fn)(void *arg, uint64_t address);

/*
 * The addresses, the newest first. Where no table tells of a function its frame pointer leads on,
 * if it is one: it is 0 in a function that nobody called. Behind the last one may be a mark
 * (insns/stack_mark.h) that says why there are no more. Their number, `most` at most.
 */
unsigned int unwind_walk(const struct unwind_machine *m, const struct unwind_state *from,
			 unwind_find_fn find, void *arg, uint64_t *addresses, unsigned int most);

#endif
