/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_UNWIND_ROWS_H
#define SONDE_UNWIND_ROWS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/arch/arch.h"
#include "compat/base/error.h"

/*
 * How to get from a function to its caller, for each place of a file's code. Rows are made of the
 * file's .eh_frame, or on 32-bit ARM of its .ARM.exidx. A row tells how to compute the CFA, which
 * is the caller's stack pointer, and where the return address and the caller's frame pointer are.
 */
enum unwind_kind {
	UNWIND_UNKNOWN,			/* the file says nothing, or in an unsupported way */
	UNWIND_END,			/* this function has no caller */
	UNWIND_REGISTER,		/* CFA = register + cfa */
	UNWIND_DEREF,			/* CFA = memory at register + cfa */
	/* an entry of x86's linkage table: CFA = register + cfa, + 8 if (ip & 15) >= limit */
	UNWIND_PLT,
};

enum unwind_saved {			/* where the caller's value of a register is */
	UNWIND_SAME,			/* in the register */
	UNWIND_AT_CFA,			/* in memory at CFA + offset */
	UNWIND_AT_SP,			/* in memory at the stack pointer + offset */
};

struct unwind_row {
	uint32_t at;			/* first position in the file; the next row ends it */
	int32_t cfa, ra, fp;		/* offsets: for the CFA, return address, frame pointer */
	uint8_t kind;			/* enum unwind_kind */
	uint8_t reg;			/* DWARF's number of the CFA's register */
	uint8_t ra_saved, fp_saved;	/* enum unwind_saved */
	/* a signal interrupted the caller: the return address is not behind a call */
	bool signal;
	uint8_t limit;			/* of UNWIND_PLT */
	/* the second frame pointer (arch_unwind.other) is at CFA + other; 0: not saved */
	int16_t other;
};

struct unwind_rows {
	struct unwind_row *rows;	/* sorted */
	uint32_t n;
};

#define UNWIND_ROWS_MOST (1U << 20)	/* of a file */

/* The row for a place. Returns NULL if nothing is known of it. */
const struct unwind_row *unwind_rows_find(const struct unwind_rows *u, uint64_t place);
void unwind_rows_free(struct unwind_rows *u);

/*
 * POWER's kernel gives two candidates for the caller of the newest function: 1 is in the link
 * register, 2 in the frame above the stack pointer. Returns the number of the wrong candidate: 1 if
 * the function has saved the link register, which may have changed since; 2 if the function has not
 * written its return address to the frame. Returns 0 if both may be callers.
 */
unsigned int unwind_no_caller(const struct arch *arch, const struct unwind_row *row);
/*
 * Returns true if the newest function has saved its return address without making a frame: the link
 * register may then have another value.
 */
bool unwind_caller_in_memory(const struct arch *arch, const struct unwind_row *row);
/*
 * Returns true if the return address of the newest function, at `ip`, is on top of the stack, or in
 * the link register of machines that have one.
 */
bool unwind_caller_on_top(const struct arch *arch, const struct unwind_row *row, uint64_t ip);

/* ---- making rows ---- */

struct unwind_maker {
	struct unwind_row *rows;
	uint32_t n;
	bool full;			/* some rows had no room */
};

/* Adds a row. If there is no room, it is left out and m->full is set. */
void unwind_add(struct unwind_maker *m, const struct unwind_row *row);
/* Sorts, and leaves out rows that repeat the row before. */
void unwind_sort(struct unwind_maker *m);
void unwind_maker_free(struct unwind_maker *m);

/*
 * Reads the rows of an ELF file in a process of its own; *stop ends it. `why` gets what could not
 * be read, or no text. Returns false if there are no rows.
 */
/* fd -1: sonde's own vDSO, the code that the kernel puts into every process. */
bool unwind_load(int fd, const volatile sig_atomic_t *stop, struct unwind_rows *u,
		 struct error *why);

#endif
