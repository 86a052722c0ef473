/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_U64_H
#define SONDE_U64_H

#include <stdint.h>

/*
 * For what BPF programs read and write: keys, values, records and frames. The verifier wants 8
 * bytes aligned to 8, and i386's compilers align them to 4 in a struct.
 */
typedef uint64_t u64 __attribute__((aligned(8)));
typedef int64_t s64 __attribute__((aligned(8)));

#endif
