/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ARCH_H
#define SONDE_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Where an argument or result is: in the register at this offset in struct pt_regs (the context of
 * a kprobe program); with `word`, in memory, in that word of the stack at a function's entry.
 */
struct arch_register {
	uint16_t offset;
	const char *name;	/* ftrace's: "di", for %di in a probe definition */
	uint8_t word;		/* from 1; 0: the register itself */
};

#define ARCH_ARGS 8			/* of a function, in registers */
#define ARCH_SYSCALL_ARGS 6
#define ARCH_ABIS 2

/* How programs of one kind call functions in user space. */
struct arch_abi {
	uint16_t machine;	/* EM_X86_64, ...; 0: no more */
	uint8_t word;		/* size of a pointer, bytes */
	bool on_stack;		/* arguments are there, above the return address */
	/*
	 * The machine that its programs are made for, where pointers are narrower than the
	 * kernel's, and fetch arguments can't follow them; NULL: the kernel's own.
	 */
	const char *narrow;
};

/* A prefix of the functions of system calls; rows have the newest first, and end with NULL. */
struct arch_prefix {
	const char *prefix;
	bool wrapped;		/* the one argument is a pt_regs */
	uint32_t since;		/* the first version with that; 0: the name tells */
};

/*
 * What a tracer must know of a machine's calling conventions: of the kernel's machine, not of the
 * one that this binary was built for.
 */
struct arch {
	/* as in uname -m: "x86_64", "aarch64", "armv7l", "i686", "riscv64", "s390x" */
	const char *name;
	uint8_t word;			/* size of a pointer, bytes */
	bool big_endian;
	uint8_t register_size;		/* of a slot in pt_regs, bytes */
	/*
	 * Of a function of the kernel, and of programs of its own word size. Those that are not in
	 * registers are on the stack at the function's beginning: the first in word `stack_args` of
	 * it, from 0, and each takes one.
	 */
	struct arch_register args[ARCH_ARGS];
	uint8_t n_args, stack_args;
	/*
	 * An argument of two words begins at an odd one: r0, r2, and on the stack. Elsewhere it is
	 * anywhere, but never half in a register and half on the stack.
	 */
	bool even_pairs;
	/* the first kernel whose pt_regs tells BPF programs the stack pointer of the kernel */
	uint32_t sp_since;
	struct arch_register result;
	/* of 32 bits: with `result` below it, a result of 64; name NULL: there is none */
	struct arch_register result_high;
	struct arch_register sp;
	/* where a function's first instruction finds the address to return to; name NULL: it is
	   on the stack */
	struct arch_register link;
	/*
	 * Bytes of a task's stack in the kernel, where it has the registers of user space, at its
	 * end, and what cs, which is at `mode`, is in programs of 64 bits; 0: not used, or not
	 * known. The stack's address is a multiple of its size.
	 */
	uint16_t task_stack, task_regs, user_cs;
	uint8_t perf_sp;		/* perf's number of the stack pointer; 0: not used */
	/* offset of the instruction pointer; 0xffff: not known */
	uint16_t ip;
	/*
	 * Offset of the frame pointer, which points to the caller's one and, behind that, to where
	 * the function returns to; 0: there is none, or it points elsewhere.
	 */
	uint16_t fp;
	/* addresses to return to may be signed: above 48 bits */
	bool signed_returns;
	/* with `wide_bit`: of a register of 8 bytes, set in programs of the kernel's word size */
	uint16_t mode;
	uint8_t wide_bit, narrow_bit;	/* or set in those of 32 bits; 0: not this way */
	bool return_on_stack;		/* the address a function returns to is there */
	/* what a kretprobe sees as the stack pointer is not it */
	bool returns_without_sp;
	/* of programs; programs of other kinds can't be probed */
	struct arch_abi abis[ARCH_ABIS];
	/* Offsets of a system call's arguments in the pt_regs that a wrapped sys_x() gets. */
	uint16_t syscall_args[ARCH_SYSCALL_ARGS];
	/* The same for calls of 32-bit tasks; compat_prefix NULL: there are no such tasks. */
	uint16_t compat_args[ARCH_SYSCALL_ARGS];
	struct arch_prefix syscall_prefix[6], compat_prefix[6];
	/* why a call is not probed that has none of these; NULL: the kernel does not have it */
	const char *syscall_absent;
	/*
	 * On 64-bit machines: the member of the current task with bits that mark a 32-bit task's
	 * system call; NULL: not known.
	 */
	const char *compat_member;
	uint32_t compat_bits;
	uint32_t o_largefile;		/* the value of open(2)'s flag */
	/*
	 * The kernel's walk of a user stack does not know whether the newest function has saved its
	 * caller in a frame: it tells what the link register has, and what the frame has, too.
	 */
	bool callers_twice;
	/*
	 * Seen with 6.1: ftrace's stacks at tracepoints lack the function of a switch of tasks, and
	 * are whole at a rename, so that no one event tells.
	 */
	bool ftrace_stacks_cut;
	/*
	 * ftrace's stacks of the kernel go on behind the entry from user space, with the program
	 * counter there.
	 */
	bool user_pc_behind_entry;
	/* some kernels offer kprobes and refuse them: only trying tells */
	bool kprobes_tell;
	/* returns of user space can't be probed: callers may be Thumb code */
	bool thumb;
	/* no sysctl tells whether there are 32-bit tasks: the functions of their calls do */
	bool compat_calls_tell;
};

/*
 * Where argument `n`, from 1, of a function is when it begins; its `offset` is 0xffff if that is
 * not known.
 */
struct arch_register arch_argument(const struct arch *arch, unsigned int n);

/* By the machine's name in uname -m, or an alias of it (i386, armv6l); NULL if it is unknown. */
const struct arch *arch_by_name(const char *machine);

#endif
