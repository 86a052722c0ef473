/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_UNWIND_CFI_H
#define SONDE_UNWIND_CFI_H

#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"
#include "src/lib/unwind/rows.h"

/*
 * Call frame information (.eh_frame, DWARF's section 6.4): tables that compilers write for
 * exceptions, of nearly all code, as programs for a small machine. Here they are run once, from the
 * first to the last, and become rows. Files are anybody's: this belongs into a process of its own
 * (compat/user/guard.h); what is no such table ends the reading, and what would take long, too.
 */

/*
 * Of an ELF file, of 32-bit ARM its .ARM.exidx (src/lib/unwind/exidx.h). -1 and err: it could not
 * be read to its end; rows may have been added.
 */
int cfi_read(int fd, struct unwind_maker *m, struct error *err);
/* Of one in memory, the vDSO. */
int cfi_read_image(void *image, size_t n, struct unwind_maker *m, struct error *err);

/* What addresses of its machine's registers mean, and where its code is in the file. */
struct cfi_source {
	const uint8_t *bytes;
	size_t size;
	uint64_t address;		/* of bytes, where addresses may be relative to it */
	uint8_t word;			/* bytes of an address */
	bool big_endian;
	uint8_t fp, sp;			/* DWARF's numbers */
	/* the position of a code address in the file; -1: it has none */
	int64_t (*position)(const void *arg, uint64_t address);
	const void *arg;
};
int cfi_rows(const struct cfi_source *s, struct unwind_maker *m, struct error *err);

#endif
