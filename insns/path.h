/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PATH_H
#define SONDE_PATH_H

#include <stdint.h>

#include "insns/common.h"

/*
 * The kernel's own copy of a path, kept by thread until its system call returns. Longer paths are
 * shown up to PATH_SHOWN, with a mark. A multiple of 8 is read, which is more than is shown: so it
 * is known whether there is more.
 */
#define PATH_SHOWN 255
#define PATH_READ 264

struct path_name {
	int64_t length;		/* with its NUL; negative: not known */
	char path[PATH_READ];
};

/* frame.M, a struct path_name, of which nothing is known. */
#define NO_PATH(M)	SET_IMM(M.length, -EFAULT), ZERO(M.path)

/* frame.M = the text at reg, of user space or the kernel's own. */
#define SET_USER_PATH(M, REG)	SET_USER_STRING(M.path, REG), SET(M.length, R0)
#define SET_KERNEL_PATH(M, REG)	SET_KERNEL_STRING(M.path, REG), SET(M.length, R0)

#endif
