/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DISKS_H
#define SONDE_DISKS_H

#include <stddef.h>
#include <stdint.h>

#include "src/run/tool.h"

/* Disks. Devices have the numbers of the kernel's events: major << 20 | minor. */

/*
 * For prepare() of a tool with --disk: the constant "dev" becomes the disk's number, or 0 for all
 * disks. Returns -1 and sets err on failure.
 */
int disk_option(struct run *r, struct error *err);

/*
 * The number of a disk by its name in /sys/class/block, or its path in /dev. Returns -1 and sets
 * err if there is none, or if it is a partition.
 */
int64_t disk_number(const char *asked, struct error *err);
/*
 * Writes the name of a device; "?" if it is gone, or if events are of a text with records. Of a
 * recording that does not tell names: MAJOR:MINOR.
 */
void disk_name(const struct run *r, uint64_t number, char *name, size_t size);

/* A disk's name, and a tool's value for it. */
struct disk {
	uint64_t dev;
	uint64_t asked;		/* when the name was read; 0: never */
	uint64_t next;		/* the tool's value */
	char name[32];		/* empty: the device is gone, or has no name */
};

struct disks {
	struct disk *rows;
	unsigned int n;
};

/*
 * The row of a device; it is added if there is none. A name is read again after a second, because
 * numbers are reused. Returns NULL if there is no memory.
 */
struct disk *disks_get(const struct run *r, struct disks *d, uint64_t dev, uint64_t now);
void disks_free(struct disks *d);

#endif
