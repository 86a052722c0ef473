/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MEMBER_H
#define SONDE_MEMBER_H

#include "compat/arch/arch.h"
#include "compat/types/offsets.h"

/* Finding members: the offset in a struct's memory at which a known value is. */

/* A copy of the kernel's memory. */
struct memory {
	uint64_t base;		/* its address */
	uint32_t size;		/* 0: no copy */
	uint8_t *bytes;
};

/* One object: copies of its structs, and values that must be in them. */
struct specimen {
	struct memory dumps[DUMPS];
	struct {
		uint8_t size;	/* 0: unknown */
		uint8_t bytes[16];
	} known[KNOWNS];
};

/* Sets a known value: bytes, or a number or address as this kernel has it in memory. */
void specimen_know(struct specimen *s, enum known what, const void *bytes, unsigned int size);
void specimen_know_number(struct specimen *s, const struct arch *a, enum known what, uint64_t value,
			unsigned int size);

/*
 * The offset at which two different objects both have the member's value. Returns -1 and sets err
 * if there is none, or if there are several, unless the member is known to be the first.
 */
int32_t find_member(const struct member *m, const struct arch *a, const struct specimen samples[2],
		    struct error *err);

/* The pointer at `offset`; 0 if it can't point to an object. */
uint64_t memory_pointer(const struct memory *m, const struct arch *a, uint32_t offset);
/* The same for a text, which need not be aligned. */
uint64_t text_pointer(const struct memory *m, const struct arch *a, uint32_t offset);
/*
 * A dentry contains the text of a short name, and a pointer to it; on every kernel this holds for
 * names below 32 bytes. Returns the address of the text; 0 if it is not there.
 */
uint64_t memory_own_text(const struct memory *m, const struct arch *a, const char *name);
/* The number of 4 bytes at `offset`; 0 if that is behind the memory. */
uint32_t memory_number(const struct memory *m, const struct arch *a, uint32_t offset);
/* Returns true if the memory has this number anywhere. */
bool memory_has(const struct memory *m, const struct arch *a, uint64_t number, unsigned int size);

#endif
