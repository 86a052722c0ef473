// SPDX-License-Identifier: GPL-2.0
#include "compat/base/hash_bytes.h"

#include <endian.h>
#include <string.h>
#include <sys/auxv.h>

struct hash_seed hash_seed(void)
{
	const void *random = (const void *)(uintptr_t)getauxval(AT_RANDOM);
	struct hash_seed seed = { };

	if (random)
		memcpy(&seed, random, sizeof(seed));
	return seed;
}

static uint64_t rotate(uint64_t v, unsigned int bits)
{
	return v << bits | v >> (64 - bits);
}

static void mix(uint64_t v[4])
{
	v[0] += v[1];
	v[2] += v[3];
	v[1] = rotate(v[1], 13) ^ v[0];
	v[3] = rotate(v[3], 16) ^ v[2];
	v[0] = rotate(v[0], 32);
	v[2] += v[1];
	v[0] += v[3];
	v[1] = rotate(v[1], 17) ^ v[2];
	v[3] = rotate(v[3], 21) ^ v[0];
	v[2] = rotate(v[2], 32);
}

static void take(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	mix(v);
	v[0] ^= word;
}

uint32_t hash_bytes(const struct hash_seed *seed, const void *bytes, size_t n)
{
	uint64_t v[4] = {
		seed->a ^ 0x736f6d6570736575ULL, seed->b ^ 0x646f72616e646f6dULL,
		seed->a ^ 0x6c7967656e657261ULL, seed->b ^ 0x7465646279746573ULL,
	};
	const uint8_t *at = bytes, *end = at + (n & ~(size_t)7);
	uint64_t word, last = (uint64_t)n << 56;

	for (; at < end; at += 8) {
		memcpy(&word, at, 8);
		take(v, le64toh(word));
	}
	for (size_t i = n & 7; i--;)
		last |= (uint64_t)at[i] << 8 * i;
	take(v, last);
	v[2] ^= 0xff;
	for (int i = 0; i < 3; i++)
		mix(v);
	v[0] ^= v[1] ^ v[2] ^ v[3];
	return (uint32_t)(v[0] ^ v[0] >> 32);
}
