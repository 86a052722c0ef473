/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_COMMAND_EXPORT_H
#define SONDE_COMMAND_EXPORT_H

/* `sonde export`: tools that run for ever, and what they count as metrics. */
#define EXPORT_USAGE "[--listen ADDRESS] [--textfile DIR] [--remote-write URL] " \
	"[--external-label NAME=VALUE] [--label NAME,...] [-f FILE] [--] " \
	"TOOL [OPTION...] [, TOOL...]"

/* Returns the exit status. */
int export_main(int argc, char **argv);

#endif
