/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_UNWIND_CFI_H
#define SONDE_UNWIND_CFI_H

#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"
#include "src/lib/unwind/rows.h"

/*
 * Call frame information (.eh_frame, DWARF's section 6.4): compilers write it for exceptions, for
 * nearly all code, as programs for a small machine. Each program is run once here, from its first
 * instruction to the last, and its results become rows. Reading ends at an invalid table, and after
 * a limit of work.
 */

/* A section, and how to understand its addresses and registers. */
struct cfi_source {
	const uint8_t *bytes;
	size_t size;
	uint64_t address;		/* of `bytes`; addresses may be relative to it */
	uint8_t word;			/* bytes of an address */
	bool big_endian;
	uint8_t fp, sp;			/* DWARF's numbers of frame and stack pointer */
	/* returns the position of a code address in the file; -1: it has none */
	int64_t (*position)(const void *arg, uint64_t address);
	const void *arg;
};

/*
 * Adds the rows of all functions of the section. Returns -1 and sets err if the section is broken
 * or too long; some rows may have been added.
 */
int cfi_rows(const struct cfi_source *s, struct unwind_maker *m, struct error *err);

#endif
