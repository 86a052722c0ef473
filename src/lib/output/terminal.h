/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TERMINAL_H
#define SONDE_TERMINAL_H

#include <stdbool.h>

#include "src/lib/output/heatmap.h"

/*
 * What a terminal can show, by what the environment says of it; variables that are not set are
 * NULL.
 */
enum heatmap_colours terminal_colours(const char *term, const char *colorterm,
				      const char *no_color);
bool terminal_moves(const char *term);		/* its cursor, to where it is told to */
bool terminal_utf8(const char *lc_all, const char *lc_ctype, const char *lang);
/* 80 by 24 if it does not say. */
void terminal_size(int fd, unsigned int *width, unsigned int *height);

/*
 * The alternate screen, without a cursor. It is left when the process is stopped (Ctrl-Z) or dies
 * of a signal nobody catches, and entered again when it goes on.
 */
void terminal_enter(int fd);
void terminal_leave(void);		/* nothing if it was not entered */
/* Once after each change of the window's size: what is on the screen has to be drawn again. */
bool terminal_changed(void);

#endif
