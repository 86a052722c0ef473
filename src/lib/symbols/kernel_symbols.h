/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KERNEL_SYMBOLS_H
#define SONDE_KERNEL_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Names of the kernel's code, from /proc/kallsyms: of the kernel itself, of modules, of BPF
 * programs and of ftrace's trampolines.
 *
 * It is read when the first address is asked for, and no further than that address needs: the
 * kernel's own symbols come first and are sorted. Where several symbols have one address, it is the
 * first that kallsyms lists, which is also the kernel's own choice: its table has global symbols
 * before weak ones, and those with fewer underscores before others.
 *
 * What is behind the end of the kernel's text or of a module, or more than 64 KB behind the last
 * symbol of either, has no name. kallsyms does not tell where a BPF program or a trampoline ends:
 * an address in one that was made after kallsyms was read may have the name of the one before it.
 */
struct kernel_symbols;

#define KERNEL_NAME 1024		/* bytes of a name; longer ones are left out */

/* NULL: the running kernel's files. Paths stay the caller's, and valid. NULL: no memory. */
struct kernel_symbols *kernel_symbols_new(const char *kallsyms, const char *modules);
void kernel_symbols_free(struct kernel_symbols *k);

/*
 * The function that the address is in: its name, where it begins, and the module, "" for the
 * kernel itself, valid as long as k. False: it is in none that is known.
 */
bool kernel_symbols_find(struct kernel_symbols *k, uint64_t address, char name[KERNEL_NAME],
			 uint64_t *start, const char **module);

/*
 * These are the addresses that will be asked for, and hardly others: kallsyms is gone through once,
 * and only their names are kept. Others are still found, at the price of reading all.
 */
void kernel_symbols_want(struct kernel_symbols *k, const uint64_t *addresses, size_t n);

/* Why no name of this kernel is known, once one was asked for; NULL: some are. */
const char *kernel_symbols_lack(const struct kernel_symbols *k);

#endif
