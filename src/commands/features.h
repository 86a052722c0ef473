/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FEATURES_H
#define SONDE_FEATURES_H

/*
 * Runs `sonde features`: prints which features this kernel has, and how each tool runs on it.
 * Returns the exit status.
 */
int features_main(int argc, char **argv);

#endif
