/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RECORDED_KERNEL_H
#define SONDE_RECORDED_KERNEL_H

#include "compat/recordings/recording.h"
#include "src/lib/symbols/kernel_symbols.h"

/*
 * Names of the kernel that was recorded, where they are certainly right: those that the recording
 * has itself; those of the file `kallsyms`, if the kernel was where the file has it; or without a
 * file those of the running kernel, if it is the same build at the same addresses.
 *
 * The running kernel's modules and BPF programs may be others: only its own functions have names.
 * In a file BPF programs and trampolines may be others than those that were recorded.
 */
struct recorded_kernel;

/* kallsyms: a path; NULL: none. Both must stay valid. Returns NULL if there is no memory. */
struct recorded_kernel *recorded_kernel_new(const struct recording *recording,
					    const char *kallsyms);
void recorded_kernel_free(struct recorded_kernel *k);

/* The same as in kernel_symbols.h. Where names are from is decided by the first of these calls. */
bool recorded_kernel_find(struct recorded_kernel *k, uint64_t address, char name[KERNEL_NAME],
			  uint64_t *start, const char **module);
void recorded_kernel_want(struct recorded_kernel *k, const uint64_t *addresses, size_t n);
const char *recorded_kernel_lack(const struct recorded_kernel *k);

/* Returns true if the running kernel is the recorded build, wherever that was. */
bool recorded_kernel_runs(const struct recorded_kernel *k);
/* Returns -1 and sets err if the file is of another kernel, as far as the recording was read. */
int recorded_kernel_check(struct recorded_kernel *k, struct error *err);

#endif
