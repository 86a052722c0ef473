/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HASH_BYTES_H
#define SONDE_HASH_BYTES_H

#include <stddef.h>
#include <stdint.h>

/*
 * The hash of bytes that others choose: names of functions, paths, arguments. It is SipHash-1-3.
 * The seed is random for each run of sonde, so that nobody can prepare keys with one hash, of which
 * a table would make a list.
 */
struct hash_seed {
	uint64_t a, b;
};

/* The seed of this process. */
struct hash_seed hash_seed(void);
/* The hash of n bytes. */
uint32_t hash_bytes(const struct hash_seed *seed, const void *bytes, size_t n);

#endif
