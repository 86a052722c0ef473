/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CONTAINERS_H
#define SONDE_CONTAINERS_H

#define CONTAINERS_USAGE "[--json]"

/* `sonde containers`: the running containers, and how they are called. Returns the exit status. */
int containers_main(int argc, char **argv);

#endif
