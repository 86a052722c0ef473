/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FTRACE_SETTINGS_H
#define SONDE_FTRACE_SETTINGS_H

#include "backends/ftrace/ftrace_read.h"

/*
 * Sets the clock, the size of the rings and the options of the reader's instance, before its rings
 * are opened. Stores what the kernel accepted in the reader (layout, ring_pages, mono, unmarked).
 * Each CPU's ring gets `pages` pages, or `kb` KB if that is 0. *clock: the clock's name. Returns -1
 * and sets err if the kernel accepts nothing that the reader can use.
 */
int ftrace_settings(struct kernel *k, struct ftrace_reader *r, unsigned int pages, unsigned int kb,
		    const char **clock, struct error *err);

#endif
