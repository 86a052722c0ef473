/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CONVERT_PERFETTO_H
#define SONDE_CONVERT_PERFETTO_H

#include <stdio.h>

#include "compat/base/error.h"

/*
 * Writes the events of a recording as a Perfetto trace. Returns -1 and sets err if the recording
 * can't be read; errors of writing stay with `to`.
 */
int convert_perfetto(const char *file, FILE *to, struct error *err);

#endif
