/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TASK_GROUP_H
#define SONDE_TASK_GROUP_H

#include <stdint.h>

/*
 * The control group of a process that did something at `time` (CLOCK_MONOTONIC ns), by
 * /proc/PID/cgroup as it is now; of the trees the one that tells most. The caller frees. NULL: the
 * process has ended, or another one has its id now.
 */
char *task_group(uint32_t pid, uint64_t time);

/*
 * The path that tells most of the text of such a file, which has a line for each tree: that of a
 * container, or of a unit of systemd, or any below the root. An engine may have put a container in
 * trees of version 1 alone. Cuts the text behind the path. NULL: there is none.
 */
const char *task_group_path(char *text);

#endif
