// SPDX-License-Identifier: GPL-2.0
#include "src/lib/unwind/dwarf_bytes.h"

uint64_t dwarf_number(struct dwarf_bytes *b, unsigned int size)
{
	uint64_t value = 0;

	if ((size_t)(b->end - b->at) < size) {
		b->broken = true;
		b->at = b->end;
		return 0;
	}
	for (unsigned int i = 0; i < size; i++)
		value |= (uint64_t)b->at[i] << 8 * (b->s->big_endian ? size - 1 - i : i);
	b->at += size;
	return value;
}

int64_t dwarf_signed(struct dwarf_bytes *b, unsigned int size)
{
	unsigned int shift = 64 - 8 * size;

	return (int64_t)(dwarf_number(b, size) << shift) >> shift;
}

uint64_t dwarf_uleb(struct dwarf_bytes *b)
{
	uint64_t value = 0, byte;
	unsigned int shift = 0;

	do {
		byte = dwarf_number(b, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return value;
}

int64_t dwarf_sleb(struct dwarf_bytes *b)
{
	uint64_t value = 0, byte;
	unsigned int shift = 0;

	do {
		byte = dwarf_number(b, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (shift < 64 && byte & 0x40)
		value |= ~0ULL << shift;
	return (int64_t)value;
}

void dwarf_skip(struct dwarf_bytes *b, uint64_t n)
{
	if (n > (uint64_t)(b->end - b->at)) {
		b->broken = true;
		n = (uint64_t)(b->end - b->at);
	}
	b->at += n;
}

struct dwarf_bytes dwarf_part(struct dwarf_bytes *b, uint64_t length)
{
	struct dwarf_bytes p = { .s = b->s, .at = b->at };

	dwarf_skip(b, length);
	p.end = b->at;
	return p;
}

uint64_t dwarf_address(struct dwarf_bytes *b, uint8_t encoding)
{
	uint64_t from = b->s->address + (uint64_t)(b->at - b->s->bytes), value;

	switch (encoding & 0x0f) {
	case PE_ABSOLUTE:
		value = dwarf_number(b, b->s->word);
		break;
	case PE_ULEB:
		value = dwarf_uleb(b);
		break;
	case PE_UDATA2:
		value = dwarf_number(b, 2);
		break;
	case PE_UDATA4:
		value = dwarf_number(b, 4);
		break;
	case PE_UDATA8:
	case PE_SDATA8:
		value = dwarf_number(b, 8);
		break;
	case PE_SLEB:
		value = (uint64_t)dwarf_sleb(b);
		break;
	case PE_SDATA2:
		value = (uint64_t)dwarf_signed(b, 2);
		break;
	case PE_SDATA4:
		value = (uint64_t)dwarf_signed(b, 4);
		break;
	default:
		b->broken = true;
		return 0;
	}
	if (encoding & 0x70 & ~PE_PCREL)
		b->broken = true;
	if (encoding & PE_PCREL)
		value += from;
	return b->s->word == 4 ? (uint32_t)value : value;
}
