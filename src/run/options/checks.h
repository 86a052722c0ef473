/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OPTIONS_CHECKS_H
#define SONDE_OPTIONS_CHECKS_H

#include "src/run/tool.h"

/* Checks whether the options go together, and suit the tool. Returns -1 and sets err if not. */
int tool_options_check(const struct tool *t, const struct options *o, struct error *err);

#endif
