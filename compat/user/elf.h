/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ELF_H
#define SONDE_ELF_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/base/error.h"

/*
 * The functions of a program or a shared library. Files may have any content and may change at any
 * time, so they are read, never mapped. If the header changes after the check, libelf may ask for
 * any amount of memory: a process with a limit must call elf_functions() (compat/user/guard.h).
 */
struct elf_kind {
	uint16_t machine;	/* EM_X86_64, ... */
	uint8_t word;		/* size of a pointer, bytes */
};

/*
 * The machine of a file (libelf has an elf_kind() of its own). Returns -1 and sets err if it is not
 * an ELF program or library of this machine's byte order.
 */
int elf_kind_of(int fd, struct elf_kind *kind, struct error *err);

enum elf_function {
	ELF_CODE,
	ELF_THUMB,		/* Thumb code of 32-bit ARM */
	/* an ifunc: code that chooses the function when a program starts */
	ELF_CHOOSES,
};

/*
 * A function defined in the file, and the position of its first instruction there. The name is
 * valid only during the call.
 */
typedef void (*elf_function_fn)(void *arg, const char *name, uint64_t position,
				enum elf_function what);

/*
 * Calls `each` for all functions of .dynsym, then of .symtab; many are in both. Returns -1 and sets
 * err if the file is invalid, or so large that reading would take long; `each` may have been called
 * before.
 */
int elf_functions(int fd, elf_function_fn each, void *arg, struct error *err);

/*
 * Returns 1 if the file has a section of one of these names (the list ends with NULL), 0 if not.
 * Returns -1 and sets err on failure. A process with a limit must call it, as elf_functions().
 */
int elf_has_section(int fd, const char *const *names, struct error *err);

#endif
