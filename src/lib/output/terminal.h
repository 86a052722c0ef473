/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TERMINAL_H
#define SONDE_TERMINAL_H

#include <stdbool.h>

#include "src/lib/output/heatmap.h"

/*
 * What a terminal can show, by environment variables; NULL: the variable is not set.
 * terminal_moves() returns true if the cursor can be moved.
 */
enum heatmap_colours terminal_colours(const char *term, const char *colorterm,
				      const char *no_color);
bool terminal_moves(const char *term);
bool terminal_utf8(const char *lc_all, const char *lc_ctype, const char *lang);
/* The size in characters; 80 by 24 if the terminal does not tell it. */
void terminal_size(int fd, unsigned int *width, unsigned int *height);

/*
 * Enters the alternate screen and hides the cursor. Both end when the process is stopped (Ctrl-Z)
 * or killed by a signal that it does not catch, and begin again when it continues.
 */
void terminal_enter(int fd);
/* Leaves the alternate screen, if it was entered. */
void terminal_leave(void);
/* Returns true once after each change of the window's size: the screen must be drawn again. */
bool terminal_changed(void);

#endif
