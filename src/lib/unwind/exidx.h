/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_UNWIND_EXIDX_H
#define SONDE_UNWIND_EXIDX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"
#include "src/lib/unwind/rows.h"

/*
 * The tables of 32-bit ARM for exceptions (.ARM.exidx, .ARM.extab): for each function what it has
 * pushed once it calls others, as a program of bytes. Here each becomes a row. Files are anybody's,
 * as with .eh_frame (src/lib/unwind/cfi.h).
 *
 * A function has one row: of its beginning and its end, where it has not pushed all, or no more,
 * the tables say nothing.
 */
struct exidx_part {
	const uint8_t *bytes;
	size_t size;
	uint32_t address;
};

struct exidx_source {
	struct exidx_part index, table;	/* table.size 0: there is none */
	bool big_endian;
	uint32_t entry;			/* where the program begins: nobody called that */
	/* the position of a code address in the file; -1: it has none */
	int64_t (*position)(const void *arg, uint64_t address);
	const void *arg;
};

/* -1 and err: not all was read; rows may have been added. */
int exidx_rows(const struct exidx_source *s, struct unwind_maker *m, struct error *err);

#endif
