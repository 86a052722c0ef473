/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_COMMANDS_H
#define SONDE_COMMANDS_H

#include <stdbool.h>
#include <stdio.h>

/* A command of sonde that is not a tool. argv[0] is its name; run() returns the exit status. */
struct command {
	const char *name, *usage, *summary;
	int (*run)(int argc, char **argv);
	const char *details;		/* lines for --help; NULL: none */
	bool helps;			/* run() handles --help by itself */
};

extern const struct command commands[];		/* ends with an empty row */

/* The command of that name. Returns NULL if there is none. */
const struct command *command_named(const char *name);
/* Runs a command, or prints its help. Returns the exit status. */
int command_run(const struct command *c, int argc, char **argv);

/*
 * Print on stderr a command's usage, that an option is unknown, or that a tool or command is
 * unknown. Return the exit status 2.
 */
int command_misused(const char *name);
int no_such_option(const char *name, const char *word);
int no_such_command(const char *word);

/* An option of a command: -LETTER and --NAME. */
struct command_option {
	const char *letter;		/* NULL: none */
	const char *name;
	const char **value;		/* NULL: it takes none */
	bool *given;			/* of an option without a value */
};
/*
 * Reads the words of a command that takes one FILE and these options, which end with an empty row.
 * "-" is a FILE. Returns 0; 2, the exit status, of a mistake, which it has told.
 */
int command_words(int argc, char **argv, const struct command_option *options, const char **file);

/* Prints an error on stderr. Returns the exit status 1. */
struct error;
int command_failed(const struct error *err);

/* Prints the tools and commands, as `sonde` without arguments does. */
void list_tools(FILE *file);

#endif
