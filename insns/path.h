/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PATH_H
#define SONDE_PATH_H

#include <stdint.h>

#include "insns/common.h"

/*
 * The kernel's own copy of a path, kept by thread until its system call returns. Longer paths are shown as far as
 * PATH_SHOWN, and as cut; a multiple of 8 is read, so that one byte more is known.
 */
#define PATH_SHOWN 255
#define PATH_READ 264

struct path_name {
	int64_t length;		/* with its NUL; negative: not known */
	char path[PATH_READ];
};

/* stack[TO] = the struct path_name at r6. */
#define PATH_WORD(TO, N) \
	BPF_LDX_MEM(BPF_DW, R1, R6, 8 * (N)), \
	BPF_STX_MEM(BPF_DW, R10, R1, (TO) + 8 * (N))
#define PATH_4(TO, N) PATH_WORD(TO, N), PATH_WORD(TO, N + 1), PATH_WORD(TO, N + 2), PATH_WORD(TO, N + 3)
#define COPY_PATH(TO) \
	PATH_4(TO, 0), PATH_4(TO, 4), PATH_4(TO, 8), PATH_4(TO, 12), PATH_4(TO, 16), PATH_4(TO, 20), PATH_4(TO, 24), \
	PATH_4(TO, 28), PATH_WORD(TO, 32), PATH_WORD(TO, 33)

/* stack[TO] = a struct path_name of which nothing is known. */
#define NO_WORD(TO, N) BPF_ST_MEM(BPF_DW, R10, (TO) + 8 + 8 * (N), 0)
#define NO_4(TO, N) NO_WORD(TO, N), NO_WORD(TO, N + 1), NO_WORD(TO, N + 2), NO_WORD(TO, N + 3)
#define NO_PATH(TO) \
	BPF_ST_MEM(BPF_DW, R10, TO, -EFAULT), \
	NO_4(TO, 0), NO_4(TO, 4), NO_4(TO, 8), NO_4(TO, 12), NO_4(TO, 16), NO_4(TO, 20), NO_4(TO, 24), NO_4(TO, 28), \
	NO_WORD(TO, 32)

#endif
