/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ROOTED_H
#define SONDE_ROOTED_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Paths as a process sees them: in a chroot or a container its root is not sonde's. Processes there
 * may make links, and change them at any time: no link leads out of that root.
 */

/* Opens the root of a process, for open_in_root(). Returns -1 and sets errno on failure. */
int open_root_of(uint32_t pid);
/*
 * Opens a path below `root`, with O_PATH: `..` ends at the root, and absolute links begin there.
 * `follow`: the last word may be a link; otherwise that fails with ELOOP. Returns -1 and sets errno
 * on failure.
 */
int open_in_root(int root, const char *path, bool follow);
/* Returns true if the process has another root than sonde, or may see other files there. */
bool has_own_root(uint32_t pid);

#endif
