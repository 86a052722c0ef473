/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_INFO_H
#define SONDE_INFO_H

#define INFO_USAGE "FILE [--json]"

/* `sonde info`: events of a recording, and tools that run on it. Returns the exit status. */
int info_main(int argc, char **argv);

#endif
