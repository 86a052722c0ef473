/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PATH_H
#define SONDE_PATH_H

#include <stdint.h>

#include "insns/common.h"

/*
 * A path from the kernel's own copy, kept by thread until its system call returns. Paths longer
 * than PATH_SHOWN are cut and marked. PATH_READ bytes are read, more than are shown, so it is known
 * whether a path is longer; it is a multiple of 8.
 */
#define PATH_SHOWN 255
#define PATH_READ 264

struct path_name {
	int64_t length;		/* with its NUL; negative: unknown */
	char path[PATH_READ];
};

/* frame.M, a struct path_name, becomes unknown. */
#define NO_PATH(M)	SET_IMM(M.length, -EFAULT), ZERO(M.path)

/* frame.M = the text at the address in REG, in user memory or in the kernel's. */
#define SET_USER_PATH(M, REG)	SET_USER_STRING(M.path, REG), SET(M.length, R0)
#define SET_KERNEL_PATH(M, REG)	SET_KERNEL_STRING(M.path, REG), SET(M.length, R0)

#endif
