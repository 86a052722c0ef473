/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OPTIONS_CHECKS_H
#define SONDE_OPTIONS_CHECKS_H

#include "src/tool.h"

/* Do the options go together, and with the tool? -1 with err set: no, and why. */
int tool_options_check(const struct tool *t, const struct options *o, struct error *err);

#endif
