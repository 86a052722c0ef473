/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_URING_H
#define SONDE_URING_H

#include "insns/program.h"

/*
 * uring.request: uring[0]++ if the bit of the request's opcode is in the constant URING_OPCODES.
 * The hook is made at run time (`built`), because the rings want a filter with these opcodes.
 */
#define URING_HOOK	"uring.request"
#define URING_COUNT	"uring"			/* an array of one count */
#define URING_OPCODES	"uring-opcodes"

extern const struct program uring_program;
extern const struct map uring_maps[];

#endif
