/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BOOT_H
#define SONDE_BOOT_H

#define BOOT_NAME "sonde-init"

/*
 * Process 1 of a machine that was started with `init=/sonde-init`: records beside, and executes the
 * real init with these words, whatever fails. Returns an exit status if this is another process.
 */
int boot_main(int argc, char **argv);

#endif
