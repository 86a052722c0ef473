/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PAGER_H
#define SONDE_PAGER_H

#include <limits.h>

#define PAGER_LONG UINT_MAX		/* as many lines as they may be */

/*
 * To be called before anything is written: if stdout is a terminal that has less room than these
 * lines take, $PAGER, less or more shows what is written to stdout from now on.
 */
void pager_begin(unsigned int lines);

#endif
