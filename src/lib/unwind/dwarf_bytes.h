/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DWARF_BYTES_H
#define SONDE_DWARF_BYTES_H

#include "src/lib/unwind/cfi.h"

/* A part of a section. A read behind its end returns 0, and marks the part as broken. */
struct dwarf_bytes {
	const struct cfi_source *s;
	const uint8_t *at, *end;
	bool broken;
};

/* DWARF's encodings of addresses: a format, and the base that they are relative to. */
enum { PE_ABSOLUTE, PE_ULEB, PE_UDATA2, PE_UDATA4, PE_UDATA8, PE_SLEB = 9, PE_SDATA2, PE_SDATA4,
       PE_SDATA8, PE_PCREL = 0x10, PE_INDIRECT = 0x80, PE_OMIT = 0xff };

/* All of these read one item and move behind it. A number of `size` bytes: */
uint64_t dwarf_number(struct dwarf_bytes *b, unsigned int size);
int64_t dwarf_signed(struct dwarf_bytes *b, unsigned int size);
/* A number of variable length (LEB128): */
uint64_t dwarf_uleb(struct dwarf_bytes *b);
int64_t dwarf_sleb(struct dwarf_bytes *b);
/* An address in one of the encodings above: */
uint64_t dwarf_address(struct dwarf_bytes *b, uint8_t encoding);

/* Moves behind the next n bytes. */
void dwarf_skip(struct dwarf_bytes *b, uint64_t n);
/* Moves behind the next `length` bytes, and returns them as a part. */
struct dwarf_bytes dwarf_part(struct dwarf_bytes *b, uint64_t length);

#endif
