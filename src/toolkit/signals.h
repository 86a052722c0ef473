/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SIGNALS_H
#define SONDE_SIGNALS_H

#include <stddef.h>

/* numbers: 0, which is never sent, to 64, the last real-time signal */
#define SIGNALS 65

/* The name without SIG ("KILL"), by this machine's numbers. Returns NULL if there is none. */
const char *signal_name(int number);
/* The number of "9", "KILL" or "SIGKILL", of `length` bytes. Returns -1 if it is no signal. */
int signal_number(const char *text, size_t length);

#endif
