/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_COMMAND_FLAME_H
#define SONDE_COMMAND_FLAME_H

/* `sonde flame`: makes a picture of folded stacks, sonde's or another program's. */
#define FLAME_USAGE "FILE [--diff FILE] [--title TEXT] [--unit WORD] [--colors kinds|off-cpu] " \
	"[--width PX] [--min-width PX] [--reverse] [--inverted]"

/* Returns the exit status. */
int flame_main(int argc, char **argv);

#endif
