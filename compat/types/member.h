/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MEMBER_H
#define SONDE_MEMBER_H

#include "compat/kernel/arch.h"
#include "compat/types/offsets.h"

/* The logic of finding members: at which offset of a struct's memory a known value is. */

/* A copy of the kernel's memory. */
struct memory {
	uint64_t base;		/* its address */
	uint32_t size;		/* 0: not seen */
	uint8_t *bytes;
};

/* One object: its structs, and the values that are known to be in them. */
struct specimen {
	struct memory dumps[DUMPS];
	struct {
		uint8_t size;	/* 0: not known */
		uint8_t bytes[16];
	} known[KNOWNS];
};

void specimen_know(struct specimen *s, enum known what, const void *bytes, unsigned int size);
/* A number or an address, as this kernel has it in memory. */
void specimen_know_number(struct specimen *s, const struct arch *a, enum known what, uint64_t value,
			unsigned int size);

/*
 * The offset at which both of two different objects have the member's value; -1 and why: nowhere,
 * or at more than one place, unless the member is the first of them.
 */
int32_t find_member(const struct member *m, const struct arch *a, const struct specimen samples[2],
		    struct error *err);

/* The pointer at `offset`; 0 if it can't be an object's. */
uint64_t memory_pointer(const struct memory *m, const struct arch *a, uint32_t offset);
/*
 * A dentry contains a short name's text, and a pointer to it: the address of that text; 0 if there
 * is none. On every kernel this is so for names below 32 bytes.
 */
uint64_t memory_own_text(const struct memory *m, const struct arch *a, const char *name);
/* Does the memory have this number anywhere? */
bool memory_has(const struct memory *m, const struct arch *a, uint64_t number, unsigned int size);

#endif
