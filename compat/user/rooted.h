/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ROOTED_H
#define SONDE_ROOTED_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Paths as a process sees them: in a chroot or a container its root is not sonde's. Whoever is in
 * there may have made its links, and changes them as we look: none of them leads out of that root.
 */

/* The root of a process, for open_in_root(); -1 and errno. */
int open_root_of(uint32_t pid);
/*
 * What is at this path below `root`, with O_PATH: `..` ends at the root, and links begin there.
 * `follow`: also a link that is the path's last word; else that fails with ELOOP. -1 and errno.
 */
int open_in_root(int root, const char *path, bool follow);
/* Has the process another root than sonde, or may it see other files there? */
bool has_own_root(uint32_t pid);

#endif
