/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SELFTEST_DISK_H
#define SONDE_SELFTEST_DISK_H

#include "src/selftest/selftest.h"

/*
 * A block device that nobody else uses: a loop device on a file in the folder. It detaches itself
 * at its last close. Says "disk", its name, which is also written to `name`. The file descriptor;
 * or -1: there is none, and nothing has been said about it.
 */
int disk_own(struct work *w, size_t size, int flags, char *name, size_t room);
/* Does this device ("loop0") have requests? Devices that pass on their I/O have none. */
bool disk_has_requests(const char *name);
/* Why disk_own()'s device does not serve who wants requests; `disk` < 0: there is none. */
const char *disk_unfit(int disk);
/* The name of the device that an open file is on, or of the whole disk; false: there is none. */
bool disk_of(int fd, char *name, size_t size);
/* Removes the device if the check made it; for cleanup(). */
void disk_remove(const struct found *f);

#endif
