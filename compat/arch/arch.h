/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ARCH_H
#define SONDE_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * All that differs by machine: a file for each, compat/arch/NAME.c, has a row with every member of
 * struct arch, and compat/arch/all.c lists the rows. A member that a machine has no use for is
 * there, too: as 0, NULL, false or { }.
 *
 * The machine is the kernel's, which may be another one than that of this binary: a snapshot's, or
 * a 64-bit kernel below a 32-bit sonde. arch_own() is the machine of the binary.
 *
 * Elsewhere are only
 * - numbers and arguments of all system calls (src/language/calls/calls.tbl). There a call is a
 *   line, with a column for each machine: a new call is a new line, and most of it is the same
 *   everywhere.
 * - code that reads or writes instructions, and makes system calls in its own way. Rows say which
 *   machines it is for.
 * - compilers (Makefile).
 */

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
	/* some kernels damage the stacks of such programs (compat/binaries/narrow_stacks.c) */
	bool stacks_at_risk;
};

/* A prefix of system calls' functions; rows have the newest first, and end with NULL. */
struct arch_prefix {
	const char *prefix;
	bool wrapped;		/* the one argument is a pt_regs */
	uint32_t since;		/* the first version with it; 0: the name alone decides */
};

/* Calls that can be told by their numbers alone (compat/kinds/numbered.c). */
enum arch_call {
	ARCH_KILL, ARCH_TKILL, ARCH_TGKILL, ARCH_SYNC, ARCH_SYNCFS, ARCH_FSYNC, ARCH_FDATASYNC,
	ARCH_MSYNC, ARCH_CALLS
};

/* Releases of this machine that lack a feature: `from` and later ones, before `before`. */
struct arch_lack {
	uint8_t feature;	/* enum feature */
	uint32_t from, before;	/* before 0: no more rows */
};

/*
 * Registers by their assembler names: `n` of them from `prefix` and `first` on, with `suffix`
 * behind the number, `step` bytes apart in pt_regs. ftrace's names are `name` and a number.
 */
struct arch_named {
	char prefix[4], suffix;
	uint8_t first, n;	/* n is 0: one register, without a number */
	uint8_t size;		/* bytes of the register that the name means */
	uint16_t offset;
	int8_t step;
	uint8_t number;		/* ftrace's number of the first */
	char name[4];
};

/* How assemblers write operands, and notes of USDT with them. */
struct arch_syntax {
	bool brackets;		/* memory is [x0, 8]; false: 8(%rax) */
	bool bare;		/* a number alone is a register, i5 a number */
	bool index_first;	/* 8(%index,%base) */
	bool percent;		/* registers begin with % */
	bool by_distance;	/* code reads data by its distance: counter(%rip) */
	const char *arguments;	/* the first four arguments of a function, as a note has them */
};

/* The procedure linkage table of programs (src/lib/symbols/readers/elf_plt.c). */
enum arch_plt_code { PLT_BY_ORDER, PLT_X86_64, PLT_I386, PLT_AARCH64 };

struct arch_plt {
	uint8_t head, entry;	/* bytes of .plt: in front, and of an entry; 0: unknown */
	uint8_t code;		/* whose code tells which function an entry is for */
	uint8_t step;		/* entries begin at multiples of it */
};

#define ARCH_UNWIND_REGISTERS 33

/* Walking stacks by tables (src/lib/unwind). Registers have DWARF's numbers. */
struct arch_unwind {
	uint8_t fp, sp;		/* sp 0: no tables of this machine are read */
	/* the register in which calls leave the return address; -1: calls push it */
	int8_t link;
	/* bits of an address; higher bits may be a signature */
	uint8_t bits;
	/* a second frame pointer, used by another kind of code; 0: none */
	uint8_t other;
	/*
	 * The tables are .ARM.exidx, not .eh_frame. They are right only where a function calls
	 * another; so a return address without a table is wrong.
	 */
	bool exidx;
	/*
	 * Bits of perf's registers. all: those that are copied to walk; 0: such stacks are not
	 * walked. caller: the register copied to find a caller only, which is the link register, or
	 * any if return addresses are on the stack; 0: the caller is not read, because tables do
	 * not tell when the register has it.
	 */
	uint64_t all, caller;
	/* DWARF's number of each register, by perf's number; -1: the instruction's address */
	const int8_t *numbers;
};

/* Where C compilers put members of structs (src/language/types/placement.c). */
struct arch_c {
	uint8_t most_align;	/* alignment of an 8-byte number in a struct */
	uint8_t long_double, long_double_align;
	uint8_t largest_align;	/* of `aligned` without a number */
	bool unnamed_aligns;	/* an unnamed bit field aligns its struct */
};

/* The tables of system calls (src/language/calls/calls.tbl). */
struct arch_tables {
	const char *native, *narrow;	/* their columns; narrow: 32-bit tasks; NULL: none */
	bool x32;			/* and calls of x32, with a bit in their numbers */
	/* where the call's 64-bit numbers are that take two registers of a 32-bit task */
	bool high_first, even;
	/*
	 * The calls that return in a new task, too, of both tables: clone, fork, vfork and clone3.
	 * 0: no more. None: the kernel does not tell of the return in the child.
	 */
	int16_t makes_task[7];
};

/*
 * Numbers that headers have, where they are other ones than on most machines: words as in
 * src/language/systrace/kinds.c; NULL: as on most.
 */
struct arch_flags {
	const char *open, *map_low, *map, *ioctl, *fadvise, *sockopt;
};

/* The calling conventions of a machine, and its other facts. */
struct arch {
	/* as in uname -m: "x86_64", "aarch64", "armv7l", "i686", "riscv64", "s390x" */
	const char *name;
	/* words with which other names of the machine begin; NULL: it has none */
	const char *aliases;
	bool own;			/* sonde was compiled for it */
	uint32_t audit;			/* seccomp's number of it: AUDIT_ARCH_X86_64 */
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
	/*
	 * With what scripts begin the names of functions of calls, beside sys_ and SyS_; kernels
	 * may have another prefix. NULL: they don't.
	 */
	const char *call_prefix;
	/* why a call without any of these can't be probed; NULL: the kernel does not have it */
	const char *syscall_absent;
	/*
	 * 64-bit machines: the member of the current task with bits that mark a 32-bit task's
	 * system call; NULL: unknown.
	 */
	const char *compat_member;
	uint32_t compat_bits;
	/* bits of this member that tell of a seccomp filter; 0: they are elsewhere */
	uint32_t filter_bits;
	uint16_t calls[ARCH_CALLS];	/* their numbers */
	bool flags_second;		/* clone(2) takes its flags behind the stack */
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
	struct arch_lack lacks[5];
	bool frame_pointers;		/* all kernels have them */
	/*
	 * The kernel reads user frames without telling that the fault must not sleep
	 * (pagefault_disable): see user_walk() of compat/kernel/features.c.
	 */
	bool user_walk_sleeps;
	/*
	 * Kernel and user memory share one range of addresses: a read of kernel memory then can
	 * read user memory too, as `string` did before 5.3.
	 */
	bool shared_addresses;
	/* the kernel's own texts are in the other half of its addresses */
	bool texts_far;
	/* some kernels offer kprobes and refuse them: only trying tells */
	bool kprobes_tell;
	/* returns of user space can't be probed: callers may be Thumb code, at odd addresses */
	bool thumb;
	/* functions of programs have a second entry, for calls within the file */
	bool local_entries;
	/* no sysctl tells whether there are 32-bit tasks: the functions of their calls tell */
	bool compat_calls_tell;
	struct arch_syntax syntax;
	/* all registers that notes of USDT name; ends with size 0 */
	const struct arch_named *registers;
	struct arch_plt plt;
	struct arch_unwind unwind;
	struct arch_c c;
	struct arch_tables tables;
	struct arch_flags flags;
	/*
	 * Constants that are others than on most machines, as in
	 * src/language/expressions/constants.c: a line for each family. NULL: none.
	 */
	const char *constants;
};

/* All machines; NULL ends them. */
extern const struct arch *const arches[];

/* Any other machine: tracepoints work; registers are unknown. */
extern const struct arch arch_unknown;

/*
 * The place of argument `n`, from 1, at the beginning of a function. `offset` is 0xffff if it is
 * unknown.
 */
struct arch_register arch_argument(const struct arch *arch, unsigned int n);

/* Finds a machine by its name in uname -m, or an alias (i386, armv6l). Returns NULL if unknown. */
const struct arch *arch_by_name(const char *machine);

/* The machine of a program, by its ELF header: EM_X86_64. Returns NULL if unknown. */
const struct arch *arch_by_elf(uint16_t machine);

/* The machine that sonde was compiled for; arch_unknown if it is not among them. */
const struct arch *arch_own(void);

/*
 * The system call of a function's name, with the prefix of any machine, as scripts have it from
 * elsewhere: sys_read, SyS_read, __x64_sys_read. Returns NULL if it begins with none.
 */
const char *arch_call_name(const char *function);

#endif
