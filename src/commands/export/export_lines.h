/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXPORT_LINES_H
#define SONDE_EXPORT_LINES_H

#include "compat/base/error.h"

struct tool;

#define EXPORT_TOOLS 32
#define EXPORT_WORDS 128		/* of a tool's command line */

/* The command lines of tools that are exported. */
struct export_lines {
	struct export_line {
		const struct tool *tool;
		char **words;		/* words[0] is the tool's name; ends with NULL */
		int n;
	} list[EXPORT_TOOLS];
	unsigned int n;
};

/*
 * Adds a copy of a tool's words, or those of several tools with commas between them. Return -1 and
 * set err if a tool does not take its words, or can't be exported.
 */
int export_lines_add(struct export_lines *to, char *const *words, struct error *err);
int export_lines_add_all(struct export_lines *to, char **words, struct error *err);
void export_lines_free(struct export_lines *l);

#endif
