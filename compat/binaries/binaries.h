/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BINARIES_H
#define SONDE_BINARIES_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/arch/arch.h"
#include "compat/base/lines.h"
#include "compat/kernel/kernel.h"

/*
 * The programs and libraries that user space has mapped, and the places in them that a probe names.
 * The hook table has LIBRARY:SYMBOL, "libc:getaddrinfo". It means every file that is this library:
 * all files that any process has mapped, also in containers, and the files that programs will find
 * when they start later.
 */
struct binary {
	char *path;			/* for people: as its processes see it */
	/* for the kernel, to make a probe: "/proc/self/fd/N"; the file stays open */
	char file[32];
	const struct arch_abi *abi;
	bool left_out;			/* it is not probed, and users were told */
};

/* A function of a file, or a place of a statically defined probe (USDT). */
struct place {
	struct binary *binary;
	char *symbol;
	uint64_t address;		/* in the file */
	/* USDT: its arguments (compat/usdt/arguments.h); NULL: a function */
	const char *arguments;
	const char *provider;		/* USDT, of a listing; NULL: its name tells it */
	/* USDT: place in the file of the number of tracers; 0: none */
	uint64_t semaphore;
};

/*
 * The places of "LIBRARY:SYMBOL|SYMBOL|...": in each file, the first of the symbols that it has. Or
 * those of "LIBRARY:PROVIDER:PROBE", a statically defined probe: in each file, all of them. A
 * snapshot has no files, but one place without a `file`. Returns the number of places, owned by the
 * kernel; -1, and sets err, if there is none.
 */
int kernel_places(struct kernel *k, const char *name, const struct place **places,
		  struct error *err);

/*
 * Adds a file to LIBRARY; path NULL: no other files are searched. Returns -1 and sets err if it is
 * not a program or library that this kernel runs, or if it has none of the functions (the list ends
 * with NULL).
 */
int kernel_binary(struct kernel *k, const char *library, const char *path,
		  const char *const *symbols, struct error *err);

/*
 * Returns true if programs of this file move their stacks, as Go does. Return probes crash them;
 * `moving_stacks` is the message, with advice.
 */
bool binary_moves_stacks(struct kernel *k, struct binary *b);
extern const char moving_stacks[];

/* Addresses in memory as the file has them; the loader adds the same number to all. */
struct binary_symbol {
	uint64_t address, size;		/* of code or data; size 0: unknown */
	uint64_t code;			/* where the code at the position of the file is */
};

/*
 * Finds a symbol of the file, and where the code at `position` of it is. Returns -1 and sets err if
 * there is no such symbol, or if there are several.
 */
int binary_symbol(struct kernel *k, const struct binary *b, const char *name, uint64_t position,
		  struct binary_symbol *to, struct error *err);

/* Lines "PATH is not probed: WHY" for files that were found. Returns NULL if there are none. */
const char *kernel_binaries_left_out(const struct kernel *k);
/* Lines for what was not searched: too much, or blocked. Returns NULL if there are none. */
const struct lines *kernel_binaries_limits(const struct kernel *k);
/* Add such a line for a file, or for one function of a file. */
void kernel_leave_out(struct kernel *k, struct binary *o, const char *why);
void kernel_leave_out_place(struct kernel *k, const struct place *p, const char *why);

/* Calls `each` for all places that kernel_places() found, with what it was asked for. */
void kernel_each_place(const struct kernel *k,
		       void (*each)(void *arg, const char *name, const struct place *p), void *arg);
/* The library, program or path as which the file was looked for; NULL: unknown. */
const char *binary_library(const struct binary *b);
/* The open file. */
int binary_fd(const struct binary *b);
/*
 * Of a recording: calls `each` for the places that it has of a library, program or path that the
 * user named. The symbol of a place (USDT) is PROVIDER:PROBE. Returns -1 and sets err if there are
 * none, or if `each` returns another value than 0.
 */
int kernel_recorded_places(struct kernel *k, const char *library,
			   int (*each)(void *arg, const struct place *p), void *arg,
			   struct error *err);

/* Returns true if the descriptor is the open file of a binary. */
bool kernel_has_binary(const struct kernel *k, int fd);

#endif
