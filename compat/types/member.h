/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MEMBER_H
#define SONDE_MEMBER_H

#include "compat/kernel/arch.h"
#include "compat/types/offsets.h"

/*
 * The logic of finding members: where in the memory of a struct the values stand that must be in
 * it.
 */

/* Memory of the kernel as it was. */
struct memory {
	uint64_t base;		/* its address */
	uint32_t size;		/* 0: not seen */
	uint8_t *bytes;
};

/* One object: its structs, and what is known of it. */
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
 * The offset at which the member's value is in both of two different objects; -1 and why: nowhere,
 * or at more than one place, unless the first is it.
 */
int32_t find_member(const struct member *m, const struct arch *a, const struct specimen samples[2],
		    struct error *err);

/* The address that stands at `offset`; 0 if none of an object can be there. */
uint64_t memory_pointer(const struct memory *m, const struct arch *a, uint32_t offset);
/*
 * A dentry has a short name's text in itself, and its address: that address, 0 if there is none.
 * `name` is shorter than 32 bytes, as far as every kernel does so.
 */
uint64_t memory_own_text(const struct memory *m, const struct arch *a, const char *name);
bool memory_has(const struct memory *m, const struct arch *a, uint64_t number, unsigned int size);

#endif
