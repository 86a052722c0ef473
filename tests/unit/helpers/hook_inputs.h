/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HOOK_INPUTS_H
#define SONDE_HOOK_INPUTS_H

#include "compat/hooks/hooks.h"

/*
 * Returns true if some alternative of the hook has the input, or all events have it, as `uid`. Of
 * NULL, a hook that is not there: false.
 */
bool hook_has_input(const struct hook *h, const char *name);

#endif
