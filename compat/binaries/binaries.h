/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BINARIES_H
#define SONDE_BINARIES_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/kernel/arch.h"
#include "compat/base/lines.h"
#include "compat/kernel/kernel.h"

/*
 * The programs and libraries that user space has mapped, and the places in them that a probe names.
 * The hook table says LIBRARY:SYMBOL, "libc:getaddrinfo", and means every file that is this
 * library: all that any process has mapped, also in containers, and those where programs that start
 * later will find them.
 */
struct binary {
	char *path;			/* for people: as its users see it */
	/* for the kernel, to make a probe: "/proc/self/fd/N"; the file stays open */
	char file[32];
	const struct arch_abi *abi;
	bool left_out;			/* and users were told */
};

/* One function of one file, or one place of a statically defined probe (USDT). */
struct place {
	struct binary *binary;
	char *symbol;
	uint64_t address;		/* in the file */
	/* USDT: where they are (compat/usdt/arguments.h); NULL: it is a function */
	const char *arguments;
	/* USDT: where in the file those who trace it are counted; 0: nowhere */
	uint64_t semaphore;
};

/*
 * The places of "LIBRARY:SYMBOL|SYMBOL|...": of each file the first of the symbols that it has. A
 * snapshot, which has no files, has one place, without a `file`. Returns how many, owned by the
 * kernel; -1 and err if there is none.
 */
int kernel_places(struct kernel *k, const char *name, const struct place **places,
		  struct error *err);

/*
 * This file is LIBRARY, too; with path NULL, no others are looked for. -1 and err if it is not a
 * program or library that this kernel runs, or has none of the functions (their names end with
 * NULL).
 */
int kernel_binary(struct kernel *k, const char *library, const char *path,
		  const char *const *symbols, struct error *err);

/*
 * Does what runs this file move its stacks, as Go does? Then return probes crash it, and
 * `moving_stacks` says so, and what to do instead.
 */
bool binary_moves_stacks(struct kernel *k, struct binary *b);
extern const char moving_stacks[];

/* Lines "PATH is not probed: WHY" of files that were found; NULL: none. */
const char *kernel_binaries_left_out(const struct kernel *k);
/* Lines of what was not looked at: there was too much of it, or it did not answer. NULL: none. */
const struct lines *kernel_binaries_limits(const struct kernel *k);
void kernel_leave_out(struct kernel *k, struct binary *o, const char *why);
/* The same of one function of a file. */
void kernel_leave_out_place(struct kernel *k, const struct place *p, const char *why);

/* Is it the open file of a binary? */
bool kernel_has_binary(const struct kernel *k, int fd);

#endif
