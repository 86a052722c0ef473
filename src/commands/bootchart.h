/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BOOTCHART_H
#define SONDE_BOOTCHART_H

#define BOOTCHART_USAGE "FILE [-o FILE.svg]"

/* `sonde bootchart`: processes of a recording on a time axis. Returns the exit status. */
int bootchart_main(int argc, char **argv);

#endif
