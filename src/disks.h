/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DISKS_H
#define SONDE_DISKS_H

#include <stddef.h>
#include <stdint.h>

#include "compat/error.h"

/* Devices as the kernel's events number them: major << 20 | minor. */

/* The number of a disk by its name in /sys/class/block; -1 and err if there is none, or it is a partition. */
int64_t disk_number(const char *name, struct error *err);
/* The name of a device; "?" if it is gone. */
void disk_name(uint64_t number, char *name, size_t size);

#endif
