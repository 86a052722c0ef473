/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_USER_REGISTERS_H
#define SONDE_USER_REGISTERS_H

#include "compat/base/error.h"

/*
 * Whether perf tells the registers of user space of a thread that is in a system call: until 3.19
 * x86-64 had no stack pointer there, but what an interrupt had left in its place. A thread that
 * sleeps at two depths of its stack in turns knows the right answers. `sp`: perf's number of that
 * register. 0; -1 and err: it does not.
 */
int registers_try(unsigned int sp, struct error *err);

#endif
