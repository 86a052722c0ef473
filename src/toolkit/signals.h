/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SIGNALS_H
#define SONDE_SIGNALS_H

#include <stddef.h>

#define SIGNALS 65		/* 0, which is not sent, to 64, the last real-time signal */

/* The name without SIG, as this machine numbers them ("KILL"); NULL: it has none. */
const char *signal_name(int number);
/* The number of "9", "KILL" or "SIGKILL", of `length` bytes; -1: no signal. */
int signal_number(const char *text, size_t length);

#endif
