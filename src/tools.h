/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TOOLS_H
#define SONDE_TOOLS_H

#include <string.h>

#include "src/tool.h"

/* What several tools do with records. */

/* Text in a fixed array, which a NUL ends if it is shorter. */
static inline struct text text_of(const char *s, size_t size)
{
	return (struct text){ .s = s, .length = (uint32_t)strnlen(s, size) };
}

/* A task's name: unknown where the array is empty (the ring engines did not see the task begin). */
static inline struct text comm_text(const char comm[16])
{
	return comm[0] ? text_of(comm, 16) : (struct text){ };
}

/*
 * Text a program read with READ_STRING: `length` is what the helper returned, with the NUL; negative: it could not be
 * read; 0: an empty one, as some kernels say. Beyond `shown` bytes it is cut, and says so.
 */
static inline struct text read_text(const char *s, int64_t length, uint32_t shown, uint32_t size)
{
	uint32_t n;

	if (length < 0)
		return (struct text){ };
	/* Before probe_read_str the length is only that of what was read. */
	n = (uint32_t)strnlen(s, (size_t)length < size ? (size_t)length : size);
	return (struct text){ .s = s, .length = n < shown ? n : shown, .cut = n > shown };
}

/* The process and thread of a pid_tgid; NOTHING where the ring engines do not know the process. */
static inline int64_t tgid_of(uint64_t pid_tgid)
{
	return pid_tgid >> 32 == 0xffffffffU ? NOTHING : (int64_t)(pid_tgid >> 32);
}

static inline int64_t tid_of(uint64_t pid_tgid)
{
	return (int64_t)(uint32_t)pid_tgid;
}

/* Does a task's name hold what --name asks for? */
static inline bool name_matches(const struct run *r, struct text comm)
{
	const char *name = option_text(run_options(r), "name");

	return !name || (comm.s && memmem(comm.s, comm.length, name, strlen(name)));
}

#endif
