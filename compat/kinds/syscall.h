/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KINDS_SYSCALL_H
#define SONDE_KINDS_SYSCALL_H

#include "compat/kernel/kernel.h"

/* Returns true if the kernel has a function for this system call. */
bool kernel_has_syscall(struct kernel *k, const char *name);

/* The function of a system call on this kernel. */
struct syscall_function {
	const char *name;		/* __x64_sys_read; owned by the kernel */
	bool wrapped;			/* its one argument is a pt_regs */
	const uint16_t *arguments;	/* offsets of the call's arguments in that pt_regs */
};

/*
 * The system call of a function's name, sys_read, SyS_read or __x64_sys_read: "read". Returns NULL
 * if it is no call of this kernel. `function` may be NULL.
 */
const char *kernel_syscall(struct kernel *k, const char *name, struct syscall_function *function);

/*
 * The size of a system call's argument by its C type, as fetch.h has it: ":s32". Behind it, its
 * register and the slot of its tracepoint's record mean nothing. ":uW": all of the register counts.
 */
const char *syscall_argument_type(const char *type);

/* Returns true if this kernel runs 32-bit tasks beside 64-bit ones. */
bool kernel_has_compat_tasks(struct kernel *k);

#endif
