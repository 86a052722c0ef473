/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ARCH_H
#define SONDE_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A register: its offset in struct pt_regs (what a kprobe program's context is), and ftrace's name
 * for it; or, where a function begins, the word of this number that it points to: the stack
 * pointer's.
 */
struct arch_register {
	uint16_t offset;
	const char *name;	/* "di", for %di in a probe definition */
	uint8_t word;		/* from 1; 0: the register itself */
};

#define ARCH_ARGS 6
#define ARCH_ABIS 2

/* How the functions of a kind of programs are called, where they are not the kernel's own. */
struct arch_abi {
	uint16_t machine;	/* EM_X86_64, ...; 0: no more */
	uint8_t word;		/* size of a pointer, bytes */
	bool on_stack;		/* arguments are there, above the address to return to */
	/* pointers are narrower than the kernel's, and fetch arguments can't follow them */
	bool narrow;
};

/*
 * A prefix of system call functions; in rows newest first, NULL-terminated. Wrapped: the one
 * argument is a pt_regs.
 * Since: the kernel's version code from which that is so, where the name did not change with it.
 */
struct arch_prefix {
	const char *prefix;
	bool wrapped;
	uint32_t since;
};

/*
 * What of a machine's calling conventions a tracer must know; run-time values, never those of this
 * binary.
 */
struct arch {
	/* as in uname -m: "x86_64", "aarch64", "armv7l", "i686", "riscv64", "s390x" */
	const char *name;
	uint8_t word;			/* size of a pointer, bytes */
	bool big_endian;
	uint8_t register_size;		/* of a slot in pt_regs, bytes */
	struct arch_register args[ARCH_ARGS];	/* of a kernel function; offset 0xffff: not had */
	struct arch_register result;
	struct arch_register sp;
	/* of programs; those that are not here can't be probed */
	struct arch_abi abis[ARCH_ABIS];
	/*
	 * Where the registers of a system call's arguments stand in the pt_regs a wrapped sys_x()
	 * is handed.
	 */
	uint16_t syscall_args[ARCH_ARGS];
	/*
	 * The same for a 32-bit task's call under this kernel; compat_prefix NULL: no such tasks.
	 */
	uint16_t compat_args[ARCH_ARGS];
	struct arch_prefix syscall_prefix[6], compat_prefix[6];
	/*
	 * The member of the current task that tells a 32-bit task's system call, and its bits that
	 * do; NULL: not known. Of 64-bit machines only.
	 */
	const char *compat_member;
	uint32_t compat_bits;
	uint32_t o_largefile;		/* what open(2)'s flag is here */
	/* there are kernels that offer kprobes and refuse them: trying tells */
	bool kprobes_tell;
	/* returns of user space can't be probed: callers may be Thumb code */
	bool thumb;
	/* no sysctl tells of 32-bit tasks: the functions of their calls do */
	bool compat_calls_tell;
};

/* By the machine's name in uname -m (aliases such as i386, armv6l known); NULL if unknown. */
const struct arch *arch_by_name(const char *machine);

#endif
