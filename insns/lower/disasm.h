/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DISASM_H
#define SONDE_DISASM_H

#include <stdio.h>

#include "insns/lower/lower.h"

/* Writes an instruction in the notation of the verifier's log ("r1 = *(u64 *)(r10 -8)"). */
void disasm(const struct bpf_insn *insn, char *text, size_t size);

/* The comment at a line of a program's source, collected by the build. Returns NULL if none. */
const char *source_note(const char *file, unsigned int line);

/*
 * Prints the lowered program, one instruction a line. The first instruction of each source line has
 * the comment of that line.
 */
void dump(FILE *out, const struct program *p, const struct lowered *l, const struct map *maps);

#endif
