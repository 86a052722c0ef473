/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KERNEL_SYMBOLS_H
#define SONDE_KERNEL_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Names of the kernel's code from /proc/kallsyms: the kernel itself, modules, BPF programs and
 * ftrace's trampolines.
 *
 * kallsyms is read when the first address is asked for, and only as far as that address needs: the
 * kernel's own symbols come first and are sorted. If several symbols have one address, the first
 * one in kallsyms is used. The kernel chooses the same: its table has global symbols before weak
 * ones, and symbols with fewer underscores before others.
 *
 * An address has no name if it is behind the end of the kernel's text or of a module, or more than
 * 64 KB behind the last symbol of either. kallsyms does not tell where a BPF program or a
 * trampoline ends: an address in one made after kallsyms was read may get the name of the one
 * before it.
 */
struct kernel_symbols;

#define KERNEL_NAME 1024		/* bytes of a name; longer names are left out */

/*
 * The paths of kallsyms and modules; NULL: the running kernel's. They must stay valid. Returns NULL
 * if there is no memory.
 */
struct kernel_symbols *kernel_symbols_new(const char *kallsyms, const char *modules);
/* Without names, which are lacking for this reason. */
struct kernel_symbols *kernel_symbols_none(const char *lack);
void kernel_symbols_free(struct kernel_symbols *k);

/*
 * Finds the function that the address is in: its name, its start, and its module ("" for the
 * kernel itself; valid as long as k). Returns false if the address is in no known function.
 */
bool kernel_symbols_find(struct kernel_symbols *k, uint64_t address, char name[KERNEL_NAME],
			 uint64_t *start, const char **module);

/*
 * Announces all addresses that will be asked for: kallsyms is then read once, and only their names
 * are kept. Other addresses are still found, but kallsyms is then read as a whole.
 */
void kernel_symbols_want(struct kernel_symbols *k, const uint64_t *addresses, size_t n);

/* Why this kernel's names are unavailable, after the first search. NULL: they are available. */
const char *kernel_symbols_lack(const struct kernel_symbols *k);

#endif
