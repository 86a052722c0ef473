/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DISKS_H
#define SONDE_DISKS_H

#include <stddef.h>
#include <stdint.h>

#include "src/tool.h"

/* Devices as the kernel's events number them: major << 20 | minor. */

/*
 * For prepare() of a tool with --disk: the disk's number becomes the constant "dev"; 0: all disks.
 */
int disk_option(struct run *r, struct error *err);

/*
 * The number of a disk by its name in /sys/class/block; -1 and err if there is none, or it is a
 * partition.
 */
int64_t disk_number(const char *name, struct error *err);
/* The name of a device; "?" if it is gone. */
void disk_name(uint64_t number, char *name, size_t size);

/* Names of disks that events are about, and what a tool keeps of each. */
struct disk {
	uint64_t dev;
	uint64_t asked;		/* when the name was read; 0: never */
	uint64_t next;		/* for the tool */
	char name[32];		/* empty: the device is gone, or has none */
};

struct disks {
	struct disk *rows;
	unsigned int n;
};

/*
 * The row of a device, made if there is none; NULL: out of memory. Names are read again after a
 * second: numbers are reused.
 */
struct disk *disks_get(struct disks *d, uint64_t dev, uint64_t now);
void disks_free(struct disks *d);

#endif
