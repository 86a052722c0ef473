/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXPORT_ADDRESS_H
#define SONDE_EXPORT_ADDRESS_H

#include <stdbool.h>

#include "compat/base/error.h"

#define EXPORT_ADDRESS "127.0.0.1:9435"

/* Returns -1 and sets err if it is no address. */
int export_address_check(const char *address, struct error *err);
/*
 * Listens at HOST:PORT, [HOST]:PORT, :PORT (all addresses), unix:PATH, or at the sockets that
 * systemd hands over ("systemd"); the address was checked. HOST is an address, no name. Adds the
 * sockets to `fds`, and clears *local unless each of them is for this machine alone. Returns how
 * many they are; -1 and sets err.
 */
int export_listen(const char *address, int *fds, unsigned int room, bool *local,
		  struct error *err);

#endif
