/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RECORD_COMMAND_H
#define SONDE_RECORD_COMMAND_H

#include <stdbool.h>

#include "src/run/child.h"

/* The user's command beside a recording. */

/* From now on its end ends a wait. */
void record_command_watch(void);
/* Returns true once, when it has ended, and sets its exit status. Never waits. */
bool record_command_ended(struct child *child, int *status);

#endif
