/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_USER_REGISTERS_H
#define SONDE_USER_REGISTERS_H

#include "compat/base/error.h"

/*
 * Tries whether perf records the user registers of a thread in a system call. Until 3.19 x86-64 had
 * no stack pointer there, but what an interrupt had left. A thread that sleeps at two depths of its
 * stack in turns knows the right values. `sp`: perf's number of the stack pointer. Returns -1 and
 * sets err if they are wrong, or with the number EAGAIN if none came.
 */
int registers_try(unsigned int sp, struct error *err);

#endif
