/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STAT_NOTES_H
#define SONDE_STAT_NOTES_H

#include "src/commands/stat/target.h"

/* Remarks on counts, a line each on stderr. */

/* After all counters are opened: which counts are incomplete. */
void note_opened(const struct stat_target *t);
/* At the end: which events were not counted, and why. */
void note_uncounted(const struct stat_target *t);

#endif
