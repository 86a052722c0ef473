/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SELFTEST_DISK_H
#define SONDE_SELFTEST_DISK_H

#include "src/selftest/selftest.h"

/*
 * A block device that nobody else uses: a loop device on a file in the folder. It detaches itself
 * when the last one who has it open is gone, however that comes about. Says "disk", its name, which
 * is left in `name` too. The file descriptor, or -1: there is none here, for which nothing is
 * said yet.
 */
int disk_own(struct work *w, size_t size, int flags, char *name, size_t room);
/*
 * Does the kernel tell of requests to this device ("loop0")? Devices that pass their I/O on make
 * none.
 */
bool disk_has_requests(const char *name);
/*
 * The name of the device an open file is on, of the whole disk if that is a partition; false: none.
 */
bool disk_of(int fd, char *name, size_t size);
/* Removes the device if it was made for this; for cleanup(). */
void disk_remove(const struct found *f);

#endif
