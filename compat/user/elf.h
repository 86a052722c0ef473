/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ELF_H
#define SONDE_ELF_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/base/error.h"

/*
 * The functions of a program or a shared library. Files are whatever processes have mapped: nothing
 * in them is believed, and they may change while they are read, so they are never mapped, only
 * read. One that changes its header between the check and libelf's own look may ask for any amount
 * of memory: elf_functions() belongs into a process that has a limit (compat/user/guard.h).
 */
struct elf_kind {
	uint16_t machine;	/* EM_X86_64, ... */
	uint8_t word;		/* size of a pointer, bytes */
};

/*
 * What a file is for (libelf has an elf_kind()). -1 and err if it is no ELF program or library of
 * this machine's byte order.
 */
int elf_kind_of(int fd, struct elf_kind *kind, struct error *err);

/*
 * A function that is defined in the file: where its first instruction is there. Thumb: it is of
 * 32-bit ARM's other instruction set. The name is valid during the call only.
 */
typedef void (*elf_function_fn)(void *arg, const char *name, uint64_t position, bool thumb);

/*
 * All of .dynsym, then all of .symtab: many have an entry in both. -1 and err if the file is not
 * what its header says, or so large that reading it would take more than a moment; functions may
 * have been handed over by then.
 */
int elf_functions(int fd, elf_function_fn each, void *arg, struct error *err);

#endif
