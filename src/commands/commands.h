/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_COMMANDS_H
#define SONDE_COMMANDS_H

#include <stdbool.h>
#include <stdio.h>

/*
 * What sonde does beside running tools. argv[0] is the command's name; each returns the exit
 * status.
 */
struct command {
	const char *name, *usage, *summary;
	int (*run)(int argc, char **argv);
	const char *details;		/* lines for --help; NULL: none */
	bool helps;			/* it takes --help itself */
};

extern const struct command commands[];		/* ends with an empty row */

/* NULL if there is none of that name. */
const struct command *command_named(const char *name);
int command_run(const struct command *c, int argc, char **argv);

/*
 * Say on stderr how it is used, that it has no such option, or that there is no such tool or
 * command; they return the exit status 2.
 */
int command_misused(const char *name);
int no_such_option(const char *name, const char *word);
int no_such_command(const char *word);

/* Says an error on stderr; returns the exit status 1. */
struct error;
int command_failed(const struct error *err);

/* What `sonde` alone prints. */
void list_tools(FILE *file);

#endif
