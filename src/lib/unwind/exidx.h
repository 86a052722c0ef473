/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_UNWIND_EXIDX_H
#define SONDE_UNWIND_EXIDX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"
#include "src/lib/unwind/rows.h"

/*
 * The tables of 32-bit ARM for exceptions (.ARM.exidx, .ARM.extab): for each function a program of
 * bytes that tells which registers it has pushed when it calls others. A function becomes one row.
 * In its first instructions it has not pushed them all, and in its last it has popped some; there
 * the row is wrong, because the tables say nothing. Files may have any content, as with .eh_frame
 * (src/lib/unwind/cfi.h).
 */
struct exidx_part {
	const uint8_t *bytes;
	size_t size;
	uint32_t address;
};

struct exidx_source {
	struct exidx_part index, table;	/* table.size 0: there is none */
	bool big_endian;
	uint32_t entry;			/* where the program begins: a function without a caller */
	/* returns the position of a code address in the file; -1: it has none */
	int64_t (*position)(const void *arg, uint64_t address);
	const void *arg;
};

/* Adds the rows. Returns -1 and sets err if not all was read; some rows may have been added. */
int exidx_rows(const struct exidx_source *s, struct unwind_maker *m, struct error *err);

#endif
