/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_USDT_NOTES_H
#define SONDE_USDT_NOTES_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/base/error.h"

/*
 * The statically defined probes (USDT) of a program or library, from its section .note.stapsdt that
 * <sys/sdt.h> makes. Files are read in a process with a limit: see compat/user/elf.h.
 */
#define USDT_NOTES_MOST 20000	/* of one file */
/* Bytes of a provider, a name or arguments, with the NUL. Probes with longer ones are left out. */
#define USDT_TEXT 512

/* One place of a probe. A probe may have several, each with arguments of its own. */
struct usdt_note {
	const char *provider, *name;
	/* in assembler notation (compat/usdt/arguments.h) */
	const char *arguments;
	uint64_t position;		/* in the file */
	/*
	 * Place in the file of a 2-byte number of tracers. The program computes arguments only if
	 * it is not 0. 0: the program does not test it.
	 */
	uint64_t semaphore;
	bool thumb;			/* Thumb code of 32-bit ARM */
};

/* The texts are valid only during the call. */
typedef void (*usdt_note_fn)(void *arg, const struct usdt_note *note);

/*
 * Calls `each` for all places. Returns -1 and sets err if the file is invalid, or too large; `each`
 * may have been called before.
 */
int usdt_notes(int fd, usdt_note_fn each, void *arg, struct error *err);

#endif
