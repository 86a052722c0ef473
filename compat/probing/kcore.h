/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KCORE_H
#define SONDE_KCORE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Copies `size` bytes of the running kernel's memory, as /proc/kcore shows it. Returns 0, or
 * -errno: -EFAULT if nothing is at this address, -EPERM if the kernel is locked down.
 */
int kcore_read(uint64_t address, void *to, size_t size);

#endif
