/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STARTED_H
#define SONDE_STARTED_H

#include "src/language/questions/probe.h"

struct run;

/* Prints the notes on a probe that is traced. */
void probe_started(const struct run *r, const struct lang_probe *p);
/* For prepare(): prints which files of -I are not read. */
void probe_files(const struct run *r, const struct types *t);
/* Prints once that the number 0 may mean unreadable memory; *zeros tells whether it did. */
void probe_zeros(const struct run *r, const struct lang_probe *p, bool *zeros);

#endif
