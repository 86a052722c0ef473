/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CONTAINER_COLUMN_H
#define SONDE_CONTAINER_COLUMN_H

#include "src/run/tool.h"

/* --container-names: columns that tell whose a row is, beside those of any tool. */
#define CONTAINER_NAMES "container-names"

/*
 * Sets the constant if the user asked for the columns, or for tasks of containers, and makes what
 * they need. Returns -1 and sets err if there is no memory.
 */
int owners_prepare(struct run *r, struct error *err);
/* The columns for the run's output; none if they were not asked for. */
struct output_beside owners_columns(const struct run *r);
/*
 * Before a record is shown: takes what the kernel tells of the next one. Returns true if that is
 * all that is in the record.
 */
bool owners_took(struct run *r, const struct record *record);

#endif
