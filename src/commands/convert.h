/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CONVERT_H
#define SONDE_CONVERT_H

#include <stdio.h>

#include "compat/base/error.h"

#define CONVERT_USAGE "FILE --to pprof|speedscope|folded|perfetto [-o FILE]"

/* Writes a recording as a file of another program. Returns the exit status. */
int convert_main(int argc, char **argv);

/*
 * Writes the events of a recording as a Perfetto trace. Returns -1 and sets err if the recording
 * can't be read; errors of writing stay with `to`.
 */
int convert_perfetto(const char *file, FILE *to, struct error *err);

#endif
