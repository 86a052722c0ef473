/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_WIDE_H
#define SONDE_WIDE_H

#include <stdbool.h>
#include <stdint.h>

/* Sums of numbers of 64 bits, which take more than 64, also on machines of 32 bits. */
struct wide {
	uint64_t high, low;		/* the number without its sign is low + high * 2^64 */
	bool negative;
};

#define WIDE_TEXT 48

/* The number low + high * 2^32, whose `high` may have a sign. */
struct wide wide_of(uint64_t high, uint64_t low, bool is_signed);
/* Writes the number in decimal; `to` has WIDE_TEXT bytes. */
void wide_text(struct wide w, char *to);
/* Writes w / n with two decimals, rounded to the nearest; n is 1 to 2^56. */
void wide_quotient_text(struct wide w, uint64_t n, char *to);

#endif
