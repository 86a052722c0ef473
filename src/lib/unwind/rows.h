/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_UNWIND_ROWS_H
#define SONDE_UNWIND_ROWS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"

/*
 * How to get from a function to its caller, for each place of a file's code, made of its .eh_frame,
 * of 32-bit ARM its .ARM.exidx. All is said by the CFA, the caller's stack pointer: where the
 * caller's frame pointer was saved, and where it goes on.
 */
enum unwind_kind {
	UNWIND_UNKNOWN,			/* the file does not say, or not in a way known here */
	UNWIND_END,			/* nobody called this */
	UNWIND_REGISTER,		/* CFA = register + cfa */
	UNWIND_DEREF,			/* CFA = memory at register + cfa */
	/* an entry of x86's linkage table: CFA = register + cfa, + 8 if (ip & 15) >= limit */
	UNWIND_PLT,
};

enum unwind_saved {			/* where the caller's value of a register is */
	UNWIND_SAME,			/* still there */
	UNWIND_AT_CFA,			/* memory at CFA + offset */
	UNWIND_AT_SP,			/* memory at the stack pointer + offset */
};

struct unwind_row {
	uint32_t at;			/* position in the file, up to the next row's */
	int32_t cfa, ra, fp;		/* offsets */
	uint8_t kind;
	uint8_t reg;			/* DWARF's number of the CFA's register */
	uint8_t ra_saved, fp_saved;
	/* a signal came here: its place is the next instruction, not the one behind a call */
	bool signal;
	uint8_t limit;
	int16_t other;			/* the other frame pointer is at CFA + this; 0: not saved */
};

struct unwind_rows {
	struct unwind_row *rows;	/* sorted */
	uint32_t n;
};

#define UNWIND_ROWS_MOST (1U << 20)	/* of a file */

/* NULL: nothing is known of that place. */
const struct unwind_row *unwind_rows_find(const struct unwind_rows *u, uint64_t place);
void unwind_rows_free(struct unwind_rows *u);

/*
 * A walk told two callers of the newest function, that of its link register first, then that of the
 * frame above the stack pointer's. Which of them, from 1, is none: the register's if it was saved
 * and used since, the frame's if nobody wrote it. 0: both are callers, or the row does not say.
 */
unsigned int unwind_no_caller(const struct unwind_row *row);
/* The newest function saved its caller without a frame: what the link register has may be none. */
bool unwind_caller_in_memory(const struct unwind_row *row);
/*
 * The newest function, at `ip`, has its caller on top of the stack; on arm64 in the link register.
 */
bool unwind_caller_on_top(const struct unwind_row *row, uint64_t ip);

/* ---- making them ---- */

struct unwind_maker {
	struct unwind_row *rows;
	uint32_t n;
	bool full;			/* there were more than there may be */
};

void unwind_add(struct unwind_maker *m, const struct unwind_row *row);
/* Sorts, and leaves out what says nothing new. */
void unwind_sort(struct unwind_maker *m);
void unwind_maker_free(struct unwind_maker *m);

/*
 * Those of an ELF file, read in a process of its own. `why`: what could not be read; "": all was.
 * False: there are none.
 */
#define UNWIND_WHY 160
/* fd -1: of the code that the kernel puts into every process (vDSO), sonde's own. */
bool unwind_load(int fd, const volatile sig_atomic_t *stop, struct unwind_rows *u,
		 char why[UNWIND_WHY]);

#endif
