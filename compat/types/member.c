// SPDX-License-Identifier: GPL-2.0
#include "compat/types/member.h"

#include <string.h>

#define NEAR 47		/* bits: the kernel's half of 48-bit addresses */
#define STEP 4		/* all members of the table are aligned to this */

static void put(uint8_t *to, const struct arch *a, uint64_t value, unsigned int size)
{
	for (unsigned int i = 0; i < size; i++)
		to[i] = (uint8_t)(value >> 8 * (a->big_endian ? size - 1 - i : i));
}

static uint64_t word_at(const struct memory *m, const struct arch *a, uint32_t offset)
{
	uint64_t value = 0;

	for (unsigned int i = 0; i < a->word; i++)
		value = value << 8 | m->bytes[offset + (a->big_endian ? i : a->word - 1U - i)];
	return value;
}

void specimen_know(struct specimen *s, enum known what, const void *bytes, unsigned int size)
{
	s->known[what].size = (uint8_t)size;
	memcpy(s->known[what].bytes, bytes, size);
}

void specimen_know_number(struct specimen *s, const struct arch *a, enum known what, uint64_t value,
			unsigned int size)
{
	uint8_t bytes[8];

	put(bytes, a, value, size);
	specimen_know(s, what, bytes, size);
}

static uint32_t number_at(const uint8_t *bytes, const struct arch *a)
{
	uint32_t value = 0;

	for (int i = 0; i < 4; i++)
		value = value << 8 | bytes[a->big_endian ? i : 3 - i];
	return value;
}

/* The bits of a number that are known; 0: all bytes of the member are. */
static uint32_t mask_of(const struct member *m, const struct arch *a)
{
	return m->compat ? a->compat_bits | a->filter_bits : m->mask;
}

/*
 * Compares the known bits of a number, those of the mask, in both objects. `rest`: the other bits
 * must be the same in both.
 */
static bool bits_match(const struct member *m, const struct arch *a,
		       const struct specimen samples[2], uint32_t offset)
{
	const uint32_t mask = mask_of(m, a);
	uint32_t value[2];

	for (int i = 0; i < 2; i++) {
		value[i] = number_at(samples[i].dumps[m->dump].bytes + offset, a);
		if ((value[i] ^ number_at(samples[i].known[m->known].bytes, a)) & mask)
			return false;
	}
	return !m->rest || !((value[0] ^ value[1]) & ~mask);
}

/* Returns true if both objects have the member's value at `offset`. */
static bool matches(const struct member *m, const struct arch *a, const struct specimen samples[2],
		    unsigned int size, uint32_t offset)
{
	const uint32_t mask = mask_of(m, a);

	for (int i = 0; i < 2; i++) {
		const struct memory *dump = &samples[i].dumps[m->dump];

		if (offset + size > dump->size || offset + size > m->window ||
		    (!mask && memcmp(dump->bytes + offset, samples[i].known[m->known].bytes,
					size)))
			return false;
	}
	return !mask || bits_match(m, a, samples, offset);
}

int32_t find_member(const struct member *m, const struct arch *a, const struct specimen samples[2],
		    struct error *err)
{
	unsigned int size = m->size ? m->size : a->word, more = m->pair ? size : 0;
	int32_t hit = -1;

	for (int i = 0; i < 2; i++)
		if (!samples[i].dumps[m->dump].size || samples[i].known[m->known].size != size)
			return fail(err, "the struct was not seen, or its value is not known");
	for (uint32_t at = m->from; at < m->window; at += STEP) {
		if (!matches(m, a, samples, size, at) ||
		    (m->pair && !matches(m, a, samples, size, at + size)))
			continue;
		if (hit >= 0 && m->first)
			break;
		if (hit >= 0)
			return fail(err, "its value is at more than one place: %d, %u", hit, at);
		hit = (int32_t)at;
	}
	if (hit < 0)
		return fail(err, "its value is nowhere in the struct");
	return m->pair == 2 ? hit + (int32_t)more : hit;
}

/*
 * On x86 the objects built into the kernel are at the end of the addresses. With 57-bit addresses
 * that is far from other objects.
 */
static bool is_built_in(const struct arch *a, uint64_t address)
{
	return a->word == 8 && address >= UINT64_MAX << 31 && address < UINT64_MAX << 12;
}

/* The address at `offset`. From the memory's own it differs in its lowest `near` bits only. */
static uint64_t address_at(const struct memory *m, const struct arch *a, uint32_t offset, int near)
{
	uint64_t address;

	if (offset + a->word > m->size)
		return 0;
	address = word_at(m, a, offset);
	/*
	 * Where the kernel's memory begins depends on the machine (s390x: at 0) and the
	 * configuration, but objects are near each other. Other numbers must not be tried as
	 * addresses: kernel 5.10 on x86 warns in its log when a probe reads a number that can't be
	 * an address.
	 */
	if (address < 0x1000 || ((address ^ m->base) >> near && !is_built_in(a, address)))
		return 0;
	return address == (a->word == 8 ? UINT64_MAX : UINT32_MAX) ? 0 : address;
}

uint64_t memory_pointer(const struct memory *m, const struct arch *a, uint32_t offset)
{
	uint64_t address = address_at(m, a, offset, NEAR);

	return address % a->word ? 0 : address;
}

uint64_t text_pointer(const struct memory *m, const struct arch *a, uint32_t offset)
{
	return address_at(m, a, offset, a->texts_far ? NEAR + 1 : NEAR);
}

uint32_t memory_number(const struct memory *m, const struct arch *a, uint32_t offset)
{
	return offset + 4 > m->size ? 0 : number_at(m->bytes + offset, a);
}

uint64_t memory_own_text(const struct memory *m, const struct arch *a, const char *name)
{
	uint32_t n = (uint32_t)strlen(name) + 1;

	for (uint32_t at = 0; at + n <= m->size; at++) {
		if (memcmp(m->bytes + at, name, n))
			continue;
		for (uint32_t word = 0; word + a->word <= m->size; word += a->word)
			if (word_at(m, a, word) == m->base + at)
				return m->base + at;
	}
	return 0;
}

bool memory_has(const struct memory *m, const struct arch *a, uint64_t number, unsigned int size)
{
	uint8_t bytes[8];

	put(bytes, a, number, size);
	for (uint32_t at = 0; at + size <= m->size; at += STEP)
		if (!memcmp(m->bytes + at, bytes, size))
			return true;
	return false;
}
