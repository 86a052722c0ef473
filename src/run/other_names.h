/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OTHER_NAMES_H
#define SONDE_OTHER_NAMES_H

#include <stdio.h>

#include "compat/base/error.h"

struct tool;

#define OTHER_WORD 32

/*
 * Names of tools of bcc and perf-tools that sonde does not have under this name: what they show, a
 * command line of sonde shows, or something else does. sonde(8) has the same list.
 */
struct other_name {
	const char *names;	/* with blanks between them; one if there is a command line */
	/* the command line that a name stands for, words with blanks between them; NULL: none */
	const char *command;
	const char *instead;		/* without a command: what to use; a line */
	/* the option for an argument with a slash in it, and its value if there is none */
	const char *slashed, *without;
};
extern const struct other_name other_names[];		/* ends with an empty row */

/* The row with that name. Returns NULL if there is none. */
const struct other_name *other_named(const char *name);
/*
 * A name without folders, and without the endings that bcc's scripts and Debian's packages have, as
 * in ./opensnoop.py and /usr/sbin/opensnoop-bpfcc. Returns `name`, or `plain`.
 */
const char *plain_name(const char *name, char plain[OTHER_WORD]);
/* The first word of the row's command line, a tool or a command of sonde. */
const char *other_word(const struct other_name *o, char word[OTHER_WORD]);
/* Prints a line: what a name of the row stands for, or what to use instead. */
void other_say(FILE *file, const struct other_name *o, const char *name);
/*
 * The tool that a command's argument names. Returns NULL and sets err, which also tells what to use
 * instead of a tool of other_names.
 */
const struct tool *tool_asked(const char *name, struct error *err);

#endif
