/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HOLDER_H
#define SONDE_HOLDER_H

#include "compat/kernel/kernel.h"

/*
 * Before 4.18 the kernel keeps the inode of a uprobe's file, but not its file system mounted. When
 * that is unmounted, as that of a container that ends, there is an inode of no file system, and to
 * remove the uprobe crashes the kernel. So somebody has to have the file open until then: sonde and
 * its detacher have, but SIGKILL ends those.
 *
 * The holder is a detacher that waits from the beginning: it has nothing but the files, sleeps
 * until sonde and its detacher need no probes any more, removes the uprobes, and ends. Nobody else
 * removes uprobes there (holder_uprobes()): if the holder was killed, too, they stay. A detacher
 * could not: what sonde's thread has of perf events for its children, a detacher inherits, and
 * before 4.7 such events last as long as who has them.
 */
struct holder;

/* For the uprobes that are made in the group from now on, on files that are known now. */
struct holder *holder_new(struct kernel *k, const char *group, struct error *err);
/*
 * This process does not need them any more; they go with the last one. Waits so many ms for the
 * holder's end. `h` may be NULL.
 */
void holder_free(struct holder *h, int wait_ms);
#define HOLDER_MS 50

/* The only group whose uprobes this process may remove; "": none; NULL: it may remove all. */
const char *holder_uprobes(struct kernel *k, const struct holder *h);

#endif
