/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PROC_H
#define SONDE_PROC_H

#include "src/tool.h"

/* What /proc says, as long as a process lives: nothing where its ids are not those of records. */

#define PROC_COMM 64		/* names of the kernel's own tasks may be longer than 15 bytes */
struct text proc_comm(const struct run *r, int64_t pid, char comm[PROC_COMM]);

#endif
