/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PROC_TASK_H
#define SONDE_PROC_TASK_H

#include "backends/stream/tables/task_table.h"

/*
 * What /proc tells of one task. Its files are read through its directory, so that all of them are
 * of one task: the directory dies with it.
 */

/*
 * Opens the directory of a task of which something is unknown. Returns -1 if the task has ended, or
 * if /proc was asked about it less than 100 ms before `now` (ns).
 */
int proc_task_ask(struct task_entry *e, uint64_t now);
/* Opens the directory of a thread in /proc/PID/task. Returns -1 if the thread has ended. */
int proc_task_open(int threads, uint32_t tid);
/* Reads the process that the task belongs to. */
bool proc_task_tgid(int dir, uint32_t *tgid);

#endif
