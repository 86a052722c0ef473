/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_USDT_NOTES_H
#define SONDE_USDT_NOTES_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/base/error.h"

/*
 * The statically defined probes (USDT) of a program or library: what <sys/sdt.h> leaves in its
 * section .note.stapsdt. As compat/user/elf.h says, files are read in a process that has a limit.
 */
#define USDT_NOTES_MOST 20000	/* of one file */
#define USDT_TEXT 512		/* bytes of a provider, a name or arguments, with the NUL */

/* One place of a probe: a probe may be at several, with arguments of their own. */
struct usdt_note {
	const char *provider, *name;
	/* where they are, as the assembler wrote it (compat/usdt/arguments.h) */
	const char *arguments;
	uint64_t position;		/* in the file */
	/*
	 * In the file: the number (2 bytes) of those who trace it. The program asks it before it
	 * computes arguments. 0: it does not.
	 */
	uint64_t semaphore;
	bool thumb;			/* 32-bit ARM's other instruction set */
};

/* The texts are valid during the call only. */
typedef void (*usdt_note_fn)(void *arg, const struct usdt_note *note);

/*
 * Calls `each` for all notes of probes. -1 and err if the file is not what its header says, or too
 * large; `each` may have been called by then.
 */
int usdt_notes(int fd, usdt_note_fn each, void *arg, struct error *err);

#endif
