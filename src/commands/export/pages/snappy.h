/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXPORT_SNAPPY_H
#define SONDE_EXPORT_SNAPPY_H

#include "compat/base/strbuf.h"

/*
 * Adds the bytes in snappy's block format, as remote write wants them: as literals, so nothing is
 * compressed, and it is three bytes longer for each 64 KB.
 */
void snappy_literals(struct strbuf *to, const char *bytes, size_t n);

#endif
