/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ELF_H
#define SONDE_ELF_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/base/error.h"

/*
 * The functions of a program or a shared library. Files are whatever processes have mapped: nothing
 * in them can be trusted, and they may change at any time, so they are never mapped, only read. A
 * file that changes its header after the check can make libelf ask for any amount of memory: so
 * elf_functions() is called in a process that has a limit (compat/user/guard.h).
 */
struct elf_kind {
	uint16_t machine;	/* EM_X86_64, ... */
	uint8_t word;		/* size of a pointer, bytes */
};

/*
 * The machine that a file is for (libelf has an elf_kind() of its own). -1 and err if it is not an
 * ELF program or library of this machine's byte order.
 */
int elf_kind_of(int fd, struct elf_kind *kind, struct error *err);

enum elf_function {
	ELF_CODE,
	ELF_THUMB,		/* in 32-bit ARM's other instruction set */
	/* an ifunc: there is what chooses the function of that name when a program starts */
	ELF_CHOOSES,
};

/*
 * A function that is defined in the file, and the position of its first instruction there. The name
 * is valid during the call only.
 */
typedef void (*elf_function_fn)(void *arg, const char *name, uint64_t position,
				enum elf_function what);

/*
 * Calls `each` for all of .dynsym, then for all of .symtab: many functions are in both. -1 and err
 * if the file is not what its header says, or so large that reading it would take long; `each` may
 * have been called by then.
 */
int elf_functions(int fd, elf_function_fn each, void *arg, struct error *err);

/*
 * Has the file a section of one of these names (NULL at their end)? As elf_functions(), in a
 * process that has a limit. -1 and err.
 */
int elf_has_section(int fd, const char *const *names, struct error *err);

#endif
