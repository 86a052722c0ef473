/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STOP_H
#define SONDE_STOP_H

#include <signal.h>

/* Those by which users, shells and init ask a program to end. */
#define STOP_SIGNALS SIGINT, SIGTERM, SIGHUP

/* The one that asked sonde to end; 0: none did. It is global because a signal handler writes it. */
extern volatile sig_atomic_t stop_signal;

/*
 * From now on `stop_signal` hears them, also those that were ignored: a shell that starts jobs in
 * the background has them ignore SIGINT. Output that waits is hurried (sink_hurry()).
 */
void stop_on_signals(void);

#endif
