/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RECORDED_H
#define SONDE_RECORDED_H

#include "backends/replay/readers/records.h"

/*
 * Reading a recording of another program (compat/recordings/recording.h) in place of a text. Its
 * rounds are the parts.
 */
struct recorded_targets;

/*
 * The recording must stay as long as the records. Returns -1 and sets err if the plan has events
 * that no recording has.
 */
int recorded_open(struct records *records, struct recording *recording, struct error *err);
/* As records_read(). */
int recorded_read(struct records *records, struct error *err);
/* Accepts NULL. */
void recorded_close(struct recorded_targets *t);

#endif
