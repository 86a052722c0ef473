/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SIGNALS_H
#define SONDE_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>

/* numbers: 0, which is never sent, to 64, the last real-time signal */
#define SIGNALS 65

/* The name without SIG ("KILL"), by this machine's numbers. Returns NULL if there is none. */
const char *signal_name(int number);
/* "SIGKILL", "SIGRTMIN+3", or the number if it has no name, in `buffer`, which is returned. */
#define SIGNAL_NAME 16
const char *signal_full_name(int number, char buffer[SIGNAL_NAME]);
/* The number of "9", "KILL", "SIGKILL" or "RTMIN+3", of `length` bytes; -1: it is no signal. */
int signal_number(const char *text, size_t length);
/*
 * The name of a signal's si_code ("SI_USER", "SEGV_MAPERR"). A code without a name is a number,
 * made in `buffer`.
 */
#define SIGNAL_CODE 16
const char *signal_code(int number, int code, char buffer[SIGNAL_CODE]);
/* Returns true if an interrupt sends signals with this code: the current task did not. */
bool signal_from_interrupt(int number, int code);

#endif
