/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HOLDER_H
#define SONDE_HOLDER_H

#include "compat/kernel/kernel.h"

/*
 * Before 4.18 the kernel keeps the inode of a uprobe's file, but does not keep its file system
 * mounted. If that is unmounted, as when a container ends, the inode has no file system, and
 * removing the uprobe crashes the kernel. So a process must keep the file open until then: sonde
 * and its detacher do, but SIGKILL ends them.
 *
 * The holder is a detacher that waits from the beginning. It has only the files, sleeps until sonde
 * and its detacher need no probes any more, removes the uprobes, and ends. No other process removes
 * uprobes there (holder_uprobes()): if the holder was killed too, they stay. A detacher could not
 * take this role: it inherits perf events of sonde's thread for its children, and before 4.7 such
 * events last as long as the process that has them.
 */
struct holder;

/*
 * Starts a holder for uprobes that are made in the group from now on, on files known now. Returns
 * NULL and sets err on failure.
 */
struct holder *holder_new(struct kernel *k, const char *group, struct error *err);
/*
 * This process does not need the uprobes any more; the last process to say so lets the holder
 * remove them. Waits at most wait_ms for the holder's end. `h` may be NULL.
 */
void holder_free(struct holder *h, int wait_ms);
#define HOLDER_MS 50

/* The only group whose uprobes this process may remove; "": none; NULL: all groups. */
const char *holder_uprobes(struct kernel *k, const struct holder *h);

#endif
