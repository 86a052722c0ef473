/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STOP_H
#define SONDE_STOP_H

#include <signal.h>

/* Signals by which users, shells and init ask a program to end. */
#define STOP_SIGNALS SIGINT, SIGTERM, SIGHUP

/* The signal that asked sonde to end; 0: none yet. Global because a signal handler writes it. */
extern volatile sig_atomic_t stop_signal;
/* How many such signals have come. */
extern volatile sig_atomic_t stop_signals;

/*
 * Installs the handlers that set `stop_signal`, also for ignored signals: a shell makes background
 * jobs ignore SIGINT. But an ignored SIGHUP stays so: nohup(1) asks for that. The handlers call
 * sink_hurry().
 */
void stop_on_signals(void);

#endif
