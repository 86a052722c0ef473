/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DISASM_H
#define SONDE_DISASM_H

#include <stdio.h>

#include "insns/lower/lower.h"

/*
 * One instruction as text, in the notation of the kernel's verifier log ("r1 = *(u64 *)(r10 -8)").
 */
void disasm(const struct bpf_insn *insn, char *text, size_t size);

/*
 * The comment beside line `line` of a program's source, collected when sonde was built; NULL if
 * none.
 */
const char *source_note(const char *file, unsigned int line);

/*
 * The lowered program, a line an instruction, the source's comment beside the first one of each
 * line.
 */
void dump(FILE *out, const struct program *p, const struct lowered *l, const struct map *maps);

#endif
