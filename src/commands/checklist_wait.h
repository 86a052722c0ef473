/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CHECKLIST_WAIT_H
#define SONDE_CHECKLIST_WAIT_H

#include <stdint.h>
#include <sys/types.h>

#define WAIT_TEXT 160

/* Writes that a process has not attached after so many ms, and where it waits. */
void wait_words(pid_t pid, int64_t ms, char text[WAIT_TEXT]);

#endif
