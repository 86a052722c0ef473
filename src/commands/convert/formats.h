/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CONVERT_FORMATS_H
#define SONDE_CONVERT_FORMATS_H

#include "src/commands/convert/events.h"

/* Formats with all events in time. */
extern const struct convert_writer convert_perfetto, convert_chrome, convert_perf_script;
/* Names of functions without events: files for `perf --buildid-dir`. */
extern const struct convert_writer convert_debug_tar;

#endif
