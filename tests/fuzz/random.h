/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FUZZ_RANDOM_H
#define SONDE_FUZZ_RANDOM_H

#include <stdint.h>

/* splitmix64: one seed always gives the same numbers. */
static inline uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

#endif
