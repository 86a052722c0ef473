/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PROC_H
#define SONDE_PROC_H

#include "src/tool.h"

/* What /proc says, as long as a process lives: nothing where its ids are not those of records. */

#define PROC_COMM 64		/* names of the kernel's own tasks may be longer than 15 bytes */
#define PROC_LOAD 128
struct text proc_comm(const struct run *r, int64_t pid, char comm[PROC_COMM]);

/* The first line of /proc/loadavg; nothing if it can't be read. */
struct text load_average(char line[PROC_LOAD]);

#endif
