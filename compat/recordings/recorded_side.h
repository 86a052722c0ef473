/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RECORDED_SIDE_H
#define SONDE_RECORDED_SIDE_H

#include "compat/recordings/recorded_probes.h"
#include "compat/recordings/recording_internal.h"

/* What a recording has of its probes and disks. Texts point into `text`. */
struct recorded_side {
	char *text;
	struct recorded_probe *probes;
	unsigned int n_probes;
	const char **functions;
	unsigned int n_functions;
	struct recorded_binary *binaries;
	unsigned int n_binaries;
	struct recorded_disk *disks;
	unsigned int n_disks;
	struct recorded_place *places;
	unsigned int n_places;
	bool known[FEATURES], has[FEATURES];	/* answers about features */
};

#endif
