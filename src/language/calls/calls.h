/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CALLS_H
#define SONDE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/arch/arch.h"
#include "insns/programs/syscount.h"

/*
 * Names of system calls, by machine and number, and the kinds of their arguments. The table is
 * sonde's own (src/language/calls/calls.tbl): it has all machines, and calls that are newer than
 * the headers which sonde is built with.
 */

/*
 * The call in this slot (insns/programs/syscount.h) on a machine; `compat` of a 64-bit machine are
 * its 32-bit tasks. NULL: it has no name.
 */
const char *call_name(const struct arch *arch, uint32_t slot);

/* The number of a slot, as the kernel counts it in its table. */
static inline unsigned int call_number(uint32_t slot)
{
	return slot % CALLS;
}

/*
 * Does what it is told for each slot of a call: of this name, or, if the text is a number, of this
 * number in all tables. Returns how many there are.
 */
unsigned int calls_named(const struct arch *arch, const char *name,
			 void (*each)(void *arg, uint32_t slot), void *arg);

/*
 * The words of the arguments of a call that call_name() returned: KIND or KIND:NAME for each. NULL:
 * not known.
 */
const char *call_words(const char *name);

/* How the arguments of a call are in registers. */
struct call_registers {
	uint8_t size;			/* bytes of a register */
	uint8_t word;			/* bytes of the task's pointers and longs */
	bool high_first;		/* numbers in two registers: the upper half is first */
	bool even;			/* these begin at an even register */
};
struct call_registers call_registers(const struct arch *arch, uint32_t slot);

/* Writes what a call without a name is called: "[unknown: 700]", "[32-bit: 700]". */
void call_unnamed(const struct arch *arch, uint32_t slot, int64_t number, char *to, size_t size);

#endif
