/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BOOT_ROOM_H
#define SONDE_BOOT_ROOM_H

#include "compat/base/error.h"

/*
 * Gives this process a root of its own, which nobody else sees: a file system in memory with /proc,
 * /sys, tracefs or debugfs, and /dev. Init finds its mounts as they were, whatever it mounts, moves
 * or deletes later. Returns -1 and sets err on failure.
 */
int boot_room(struct error *err);
/*
 * Leaves it for the root that process 1 has now; `room` is its open root. Returns -1 and sets err
 * on failure, and is in the room then. boot_room_return() is for coming back: whoever stays in a
 * root of init keeps it from being unmounted.
 */
int boot_room_leave(int room, struct error *err);
void boot_room_return(int room);

#endif
