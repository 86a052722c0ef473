/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STARTED_H
#define SONDE_STARTED_H

#include "src/lang/probe.h"

struct run;

/* Says what there is to know of a probe that is traced. */
void probe_started(const struct run *r, const struct lang_probe *p);
/* For prepare(): which of the files that -I names are not read. */
void probe_files(const struct run *r, const struct types *t);
/* Says what its numbers may mean; once, *zeros tells. */
void probe_zeros(const struct run *r, const struct lang_probe *p, bool *zeros);

#endif
