/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ARCH_H
#define SONDE_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The place of an argument or result: the register at this offset in struct pt_regs (the context of
 * a kprobe program); or, if `word` is set, that word of the stack at a function's beginning.
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
	bool on_stack;		/* arguments are on the stack, above the return address */
	/*
	 * The programs' machine, if their pointers are narrower than the kernel's: fetch arguments
	 * can't follow such pointers. NULL: the kernel's machine.
	 */
	const char *narrow;
};

/* A prefix of system calls' functions; rows have the newest first, and end with NULL. */
struct arch_prefix {
	const char *prefix;
	bool wrapped;		/* the one argument is a pt_regs */
	uint32_t since;		/* the first version with it; 0: the name alone decides */
};

/*
 * The calling conventions of a machine: the kernel's, which may differ from the machine that this
 * binary was built for.
 */
struct arch {
	/* as in uname -m: "x86_64", "aarch64", "armv7l", "i686", "riscv64", "s390x" */
	const char *name;
	uint8_t word;			/* size of a pointer, bytes */
	bool big_endian;
	uint8_t register_size;		/* of a slot in pt_regs, bytes */
	/*
	 * Arguments of functions, of the kernel and of programs of its own word size. Arguments
	 * without a register are on the stack at the function's beginning: the first one in word
	 * `stack_args`, from 0, one word each.
	 */
	struct arch_register args[ARCH_ARGS];
	uint8_t n_args, stack_args;
	/*
	 * An argument of two words begins at an even register or word: r0, r2. On other machines it
	 * begins anywhere, but is never half in a register and half on the stack.
	 */
	bool even_pairs;
	/* first version whose pt_regs has the kernel's stack pointer for BPF programs */
	uint32_t sp_since;
	struct arch_register result;
	/* 32 bits: the upper half of a 64-bit result; name NULL: none */
	struct arch_register result_high;
	struct arch_register sp;
	/* the return address at a function's first instruction; name NULL: it is on the stack */
	struct arch_register link;
	/*
	 * A task's kernel stack: its bytes; bytes at its end with the registers of user space; and
	 * the value of cs, which is at `mode`, in 64-bit programs. 0: not used, or unknown. The
	 * stack's address is a multiple of its size.
	 */
	uint16_t task_stack, task_regs, user_cs;
	uint8_t perf_sp;		/* perf's number of the stack pointer; 0: not used */
	/* offset of the instruction pointer; 0xffff: unknown */
	uint16_t ip;
	/*
	 * Offset of the frame pointer. It points to the caller's frame pointer, and the return
	 * address is behind that. 0: there is none, or it points elsewhere.
	 */
	uint16_t fp;
	/* return addresses may have a signature above 48 bits */
	bool signed_returns;
	/*
	 * with `wide_bit`: an 8-byte register with this bit set in programs of the kernel's word
	 * size
	 */
	uint16_t mode;
	uint8_t wide_bit, narrow_bit;	/* narrow_bit: set in 32-bit programs; 0: not used */
	bool return_on_stack;		/* the return address is on the stack */
	/* the stack pointer of a kretprobe is not that of the return */
	bool returns_without_sp;
	/* of programs; programs of other kinds can't be probed */
	struct arch_abi abis[ARCH_ABIS];
	/* Offsets of a system call's arguments in the pt_regs that a wrapped sys_x() gets. */
	uint16_t syscall_args[ARCH_SYSCALL_ARGS];
	/* The same for calls of 32-bit tasks; compat_prefix NULL: there are no such tasks. */
	uint16_t compat_args[ARCH_SYSCALL_ARGS];
	struct arch_prefix syscall_prefix[6], compat_prefix[6];
	/* why a call without any of these can't be probed; NULL: the kernel does not have it */
	const char *syscall_absent;
	/*
	 * 64-bit machines: the member of the current task with bits that mark a 32-bit task's
	 * system call; NULL: unknown.
	 */
	const char *compat_member;
	uint32_t compat_bits;
	uint32_t o_largefile;		/* the value of open(2)'s flag */
	/*
	 * The kernel's walk of a user stack does not know whether the newest function has saved its
	 * return address in a frame: it returns the address in the link register, and that in the
	 * frame.
	 */
	bool callers_twice;
	/*
	 * Seen with 6.1: ftrace's stacks lack a function at the tracepoint of task switches, and
	 * are whole at a rename. So testing one event is not enough.
	 */
	bool ftrace_stacks_cut;
	/*
	 * ftrace's kernel stacks continue behind the entry from user space, with the program
	 * counter there.
	 */
	bool user_pc_behind_entry;
	/* some kernels offer kprobes and refuse them: only trying tells */
	bool kprobes_tell;
	/* returns of user space can't be probed: callers may be Thumb code */
	bool thumb;
	/* no sysctl tells whether there are 32-bit tasks: the functions of their calls tell */
	bool compat_calls_tell;
};

/*
 * The place of argument `n`, from 1, at the beginning of a function. `offset` is 0xffff if it is
 * unknown.
 */
struct arch_register arch_argument(const struct arch *arch, unsigned int n);

/* Finds a machine by its name in uname -m, or an alias (i386, armv6l). Returns NULL if unknown. */
const struct arch *arch_by_name(const char *machine);

#endif
