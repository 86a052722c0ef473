/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FEATURES_H
#define SONDE_FEATURES_H

/* `sonde features`: what this kernel has, and what each tool makes of it; the exit status. */
int features_main(int argc, char **argv);

#endif
