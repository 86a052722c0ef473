/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_COMMAND_DIFF_H
#define SONDE_COMMAND_DIFF_H

/* `sonde diff`: two recordings, or what a tool wrote of two runs, beside each other. */
#define DIFF_USAGE "[--top N] [--by COLUMN,...] [--flame FILE.svg] [--FORMAT] OLD NEW TOOL " \
	"[OPTION...]"

/* Returns the exit status. */
int diff_main(int argc, char **argv);

#endif
