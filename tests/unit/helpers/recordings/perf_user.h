/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PERF_USER_H
#define SONDE_PERF_USER_H

#include "tests/unit/helpers/perf_file.h"

/*
 * What a small perf.data has of user space. Process 7 has mapped /bin/a, whose build id of bytes
 * 0xa0 is in the table, /bin/b, whose mapping has one of bytes 0xb0, both twice as long as the
 * page that they begin with; and /bin/c without a build id.
 */
#define PERF_USER_A 0x10000
#define PERF_USER_B 0x20000
#define PERF_USER_C 0x30000
#define PERF_USER_DATA 0x40000
#define PERF_USER_OFFSET 0x1000		/* of the mapping in its file */

/* How to put what all records of the file end with. */
typedef void (*perf_user_end)(struct perf_file *f, uint32_t pid, uint64_t time);

/* A mapping; id: the byte that its build id has everywhere; 0: it has none. */
void perf_user_map(struct perf_file *f, perf_user_end end, uint64_t time, uint64_t start,
		   const char *path, uint8_t id);
/* The mappings above, and one of data. */
void perf_user_maps(struct perf_file *f, perf_user_end end);
/*
 * The section FILE2: of /bin/a function_a at the positions from 0x1100 to 0x11ff; function_b of
 * /bin/b, function_c of /bin/c and function_d of /bin/d at the same; of the kernel function_k at
 * PERF_FILE_KERNEL + 0x2000, and of a module function_m.
 */
void perf_user_names(struct perf_file *f);

#endif
