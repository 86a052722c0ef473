/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TGIDS_H
#define SONDE_TGIDS_H

#include "src/run/tool.h"

/*
 * Fills the map "tgids", from thread to process (both u32), with the tasks of /proc. A program on
 * task.new adds later ones. Returns -1 and sets err on failure.
 */
int tgids_fill(struct run *r, struct error *err);

#endif
