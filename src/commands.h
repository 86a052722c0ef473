/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_COMMANDS_H
#define SONDE_COMMANDS_H

/* What sonde does beside running tools. argv[0] is the command's name; each returns the exit status. */
struct command {
	const char *name, *usage, *summary;
	int (*run)(int argc, char **argv);
};

extern const struct command commands[];		/* ends with an empty row */

#endif
