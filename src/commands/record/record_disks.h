/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RECORD_DISKS_H
#define SONDE_RECORD_DISKS_H

#include "compat/base/strbuf.h"

/* Adds a line of recorded_probes.h for each disk and partition that /sys has now. */
void record_disks(struct strbuf *to);

#endif
