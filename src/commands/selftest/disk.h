/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SELFTEST_DISK_H
#define SONDE_SELFTEST_DISK_H

#include "src/commands/selftest/selftest.h"

/*
 * Makes a block device that nobody else uses: a loop device on a file in the workload's folder. It
 * detaches itself at its last close. Says "disk", its name, and writes the name to `name`. Returns
 * the file descriptor, or -1 if there is no device; then not_here() was not called.
 */
int disk_own(struct work *w, size_t size, int flags, char *name, size_t room);
/*
 * The same for requests with O_DIRECT of at most `unit` bytes, a power of two. Writes to `bytes`
 * the address of so many, aligned, which the process keeps. Returns -1 after not_here(), also if
 * the device has no requests.
 */
int disk_direct(struct work *w, size_t size, size_t unit, void **bytes, char *name, size_t room);
/* Returns true if this device ("loop0") has requests. Devices that pass on their I/O have none. */
bool disk_has_requests(const char *name);
/* Why disk_own()'s device can't serve a check that needs requests; disk < 0: there is no device. */
const char *disk_unfit(int disk);
/* Finds the name of the whole disk that an open file is on. Returns false if there is none. */
bool disk_of(int fd, char *name, size_t size);
/* Removes the device if the check has made one; for cleanup(). */
void disk_remove(const struct found *f);
#endif
