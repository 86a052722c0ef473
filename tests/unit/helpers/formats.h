/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_UNIT_FORMATS_H
#define SONDE_UNIT_FORMATS_H

#include "src/lib/output/formats/formats.h"

/* Formats whose output tests compare byte by byte; test_output checks these indices. */
#define OUTPUT_TEXT	(&formats[0])
#define OUTPUT_JSON	(&formats[1])
#define OUTPUT_CSV	(&formats[2])

#endif
