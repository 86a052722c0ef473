/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_U64_H
#define SONDE_U64_H

#include <stdint.h>

/*
 * Types for memory that BPF programs access: keys, values, records and frames. The verifier
 * requires 8-byte numbers at multiples of 8, but i386's compilers align them to 4 in a struct.
 */
typedef uint64_t u64 __attribute__((aligned(8)));
typedef int64_t s64 __attribute__((aligned(8)));

#endif
