/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RECORDED_H
#define SONDE_RECORDED_H

#include "backends/replay/readers/records.h"

/*
 * Reading a recording of another program (compat/recordings/recording.h) in place of a text. Its
 * rounds are the parts.
 */
struct recorded_targets;

/* Returns -1 and sets err if the recording of this kernel can't serve the plan. */
int recorded_refuse(struct kernel *k, const struct plan *plan, struct error *err);
/* The recording must stay as long as the records. Returns -1 and sets err without memory. */
int recorded_open(struct records *records, struct recording *recording, struct error *err);
/* As records_read(). */
int recorded_read(struct records *records, struct error *err);
/* Accepts NULL. */
void recorded_close(struct recorded_targets *t);

#endif
