/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STAT_NOTES_H
#define SONDE_STAT_NOTES_H

#include "src/stat/target.h"

/* What users have to know of their counts: a line each, on standard error. */

/* All is open: what of it is not complete. */
void note_opened(const struct stat_target *t);
/* At the end: what was not counted, and why. */
void note_uncounted(const struct stat_target *t);

#endif
