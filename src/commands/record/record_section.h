/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RECORD_SECTION_H
#define SONDE_RECORD_SECTION_H

#include "compat/base/strbuf.h"
#include "src/commands/record/record_events.h"

/*
 * Writes what compat/recordings/recorded_probes.h says of the plans' probes, which were made in
 * this group. to->cut is set if there is no memory.
 */
void record_section(const char *group, const struct record_events *events, struct strbuf *to);

#endif
